// A run that is stopped ends its statement in the database, and what it has read is kept until the rows change.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { openCatalog } from '@stagecraft/catalogs'
import { observeIn, type Observed } from '@stagecraft/core/inference'
import type { Catalog, CatalogTable, TableSize } from '@stagecraft/spec'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAnswers } from '../packages/cli/src/files/answers.ts'
import { describeWithServer, mysqlServer, postgresServer } from './servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-stopped-'))
afterAll(() => rmSync(folder, { recursive: true }))
const own = `stagecraft_${crypto.randomUUID().slice(0, 8)}`

const numbers = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, at) => `(${at + from}, ${(at % 40) + 1})`).join(', ')

const STATEMENTS = [
  'create table customers (id integer, level integer)',
  `insert into customers values ${numbers(60)}`,
  'create table orders (id integer, customer_id integer)',
  `insert into orders values ${numbers(200)}`,
]
const CHANGE = 'insert into orders values (201, 3)'

interface Asked {
  readonly observed: Observed
  /** The tables that statements name. */
  readonly asked: readonly string[]
}

async function tablesOf(catalog: Catalog, names: readonly string[]): Promise<readonly CatalogTable[]> {
  return (await catalog.tables({})).filter(({ name }) => names.includes(name))
}

async function observe(
  address: string,
  {
    fresh = false,
    place,
    stopAfter,
    written = [],
  }: {
    readonly fresh?: boolean
    readonly place: string
    readonly stopAfter?: number
    /** Gets the key of every answer, when it is kept. */
    readonly written?: string[]
  },
): Promise<Asked> {
  const catalog = await openCatalog(address)
  const asked: string[] = []
  const stop = new AbortController()
  const counting: Catalog = {
    ...catalog,
    query: async (sql, options) => {
      asked.push(
        /customers[\s\S]*orders|orders[\s\S]*customers/.test(sql)
          ? 'both'
          : sql.includes('orders')
            ? 'orders'
            : 'customers',
      )
      return (await catalog.query?.(sql, options)) ?? []
    },
  }
  const answers = await openAnswers(place, { address, fresh })
  try {
    const observed = await observeIn(counting, await tablesOf(catalog, ['customers', 'orders']), {
      asked: 'profile',
      answers: {
        ...answers,
        write: async (key, rows) => {
          await answers.write(key, rows)
          written.push(key)
        },
      },
      signal: stop.signal,
      onProgress: (done) => {
        if (done === stopAfter) stop.abort(new Error('stopped'))
      },
    })
    return { observed, asked }
  } finally {
    await catalog.close()
  }
}

function keptAnswers(
  address: () => string,
  {
    change,
    oneByOne = true,
  }: { readonly change: (sql: string) => Promise<void>; readonly oneByOne?: boolean },
): void {
  test('answers are kept until the rows change', async () => {
    const place = mkdtempSync(join(folder, 'kept-'))
    const first = await observe(address(), { place })
    expect(first.asked).toContain('orders')
    const second = await observe(address(), { place })
    expect(second.asked).toEqual([])
    expect(second.observed).toEqual(first.observed)
    const fresh = await observe(address(), { place, fresh: true })
    // tables are asked side by side
    expect(fresh.asked.toSorted()).toEqual(first.asked.toSorted())
    await change(CHANGE)
    const third = await observe(address(), { place })
    const again = oneByOne ? first.asked.filter((table) => table !== 'customers') : first.asked
    expect(third.asked.toSorted()).toEqual(again.toSorted())
    const rows = third.observed.profiles.map(({ profile, table }) => `${table.name} ${profile?.rows}`)
    expect(rows).toEqual(['customers 60', 'orders 201'])
  })

  test('a run that was stopped goes on where it ended', async () => {
    const place = mkdtempSync(join(folder, 'kept-'))
    const [before, after]: [string[], string[]] = [[], []]
    await expect(observe(address(), { place, stopAfter: 1, written: before })).rejects.toThrow('stopped')
    const kept = [...before]
    expect(kept.length).toBeGreaterThan(0)
    const { asked, observed } = await observe(address(), { place, written: after })
    expect(after.filter((key) => kept.includes(key))).toEqual([])
    expect(asked).toContain('both')
    expect(observed.failures).toEqual([])
  })
}

const postgres = await postgresServer()
describeWithServer('PostgreSQL', postgres, () => {
  const url = Object.assign(new URL(postgres.url), { pathname: `/${own}` }).href
  const run = async (
    address: string,
    ...all: readonly string[]
  ): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      let rows: Record<string, unknown>[] = []
      for (const sql of all) ({ rows } = await client.query<Record<string, unknown>>(sql))
      return rows
    } finally {
      await client.end()
    }
  }
  beforeAll(async () => {
    await run(postgres.url, `create database ${own}`)
    await run(url, ...STATEMENTS, SLOW_VIEW_OF_POSTGRES)
  })
  afterAll(() => run(postgres.url, `drop database if exists ${own} with (force)`))
  keptAnswers(() => url, { change: async (sql) => void (await run(url, sql)) })

  test('a statement that is stopped ends in the server', async () => {
    const running = async (): Promise<number> =>
      (
        await run(
          url,
          `select 1 from pg_stat_activity where datname = '${own}' and state = 'active' and query like '%slow_rows%' and pid <> pg_backend_pid()`,
        )
      ).length
    // the catalog is of use after it
    expect(await answerAfterStop(url, running)).toMatchObject([{ one: 1 }])
  })

  test.each([
    ['200', '200'],
    ['0', '60000'],
    ['90000', '60000'],
  ])('of a time limit of %s ms and that of Stagecraft the shorter one holds', async (limit, held) => {
    const address = new URL(url)
    address.searchParams.set('options', `-c statement_timeout=${limit}`)
    const catalog = await openCatalog(address.href)
    try {
      const asked = "select setting from pg_settings where name = 'statement_timeout'"
      expect(await catalog.query?.(asked)).toEqual([{ setting: held }])
    } finally {
      await catalog.close()
    }
  })

  test('the mark of a table changes with its rows, and only with its own', async () => {
    const before = await sizes(url)
    expect(before.map(({ mostRows }) => mostRows !== undefined && mostRows >= 60)).toEqual([true, true])
    await run(url, 'update orders set customer_id = customer_id', 'analyze orders')
    const after = await sizes(url)
    expect(after.map(({ version }, at) => version === before[at]?.version)).toEqual([true, false])
    expect(after[1]?.rows).toBeGreaterThanOrEqual(200)
  })

  test('parts of a table in other tables are counted with it', async () => {
    await run(
      url,
      'create table days (id integer, day date) partition by range (day)',
      "create table days_1 partition of days for values from ('2026-01-01') to ('2026-02-01')",
      "create table days_2 partition of days for values from ('2026-02-01') to ('2026-03-01')",
      "insert into days select n, date '2026-01-01' + n % 59 from generate_series(1, 5000) n",
      'analyze days',
    )
    const [before] = await sizes(url, ['days'])
    expect(before?.rows).toBe(5000)
    await run(url, "insert into days values (0, '2026-02-02')")
    const [after] = await sizes(url, ['days'])
    expect(after?.version).not.toBe(before?.version)
  })
})

const SLOW_VIEW_OF_POSTGRES =
  'create view slow_rows as select 1 as id from pg_class where (select count(*) from pg_sleep(120)) = 1'

const mysql = await mysqlServer()
describeWithServer('MariaDB or MySQL', mysql, () => {
  const url = Object.assign(new URL(mysql.url), { pathname: `/${own}` }).href
  const run = async (address: string, ...all: readonly string[]): Promise<readonly unknown[]> => {
    const client = await createConnection({ uri: address })
    try {
      let rows: unknown = []
      for (const sql of all) [rows] = await client.query(sql)
      return Array.isArray(rows) ? rows : []
    } finally {
      await client.end()
    }
  }
  beforeAll(async () => {
    await run(mysql.url, `create database ${own}`)
    await run(url, ...STATEMENTS)
    await run(url, 'create view slow_rows as select 1 as id from customers where sleep(2) = 0')
  })
  afterAll(() => run(mysql.url, `drop database if exists ${own}`))

  test('the mark of a table comes with the second after its last change', async () => {
    const marks = async (): Promise<readonly (string | undefined)[]> =>
      (await sizes(url)).map(({ version }) => version)
    await expect.poll(marks, { timeout: 60_000 }).toEqual([expect.any(String), expect.any(String)])
    const before = await marks()
    await run(url, CHANGE)
    await expect.poll(async () => (await marks())[1], { timeout: 60_000 }).toEqual(expect.any(String))
    const after = await marks()
    expect(after.map((mark, at) => mark === before[at])).toEqual([true, false])
  })

  test('a statement that is stopped ends in the server', async () => {
    const running = async (): Promise<number> =>
      (
        await run(
          url,
          `select 1 from information_schema.processlist where db = '${own}' and command = 'Query' and info like '%slow_rows%' and id <> connection_id()`,
        )
      ).length
    // the catalog is of use after it
    expect(await answerAfterStop(url, running)).toMatchObject([{ one: 1 }])
  })
})

async function answerAfterStop(address: string, running: () => Promise<number>): Promise<unknown> {
  const catalog = await openCatalog(address)
  try {
    const tables = await tablesOf(catalog, ['slow_rows'])
    expect(tables).toHaveLength(1)
    const stop = new AbortController()
    const reason = new Error('stopped')
    const ended = observeIn(catalog, tables, { asked: 'profile', signal: stop.signal }).catch(
      (error: unknown) => error,
    )
    await expect.poll(running, { timeout: 60_000 }).toBe(1)
    stop.abort(reason)
    expect(await ended).toBe(reason)
    await expect.poll(running, { timeout: 60_000 }).toBe(0)
    return await catalog.query?.('select 1 as one')
  } finally {
    await catalog.close()
  }
}

async function sizes(
  address: string,
  names: readonly string[] = ['customers', 'orders'],
): Promise<readonly TableSize[]> {
  const catalog = await openCatalog(address)
  try {
    return (await catalog.sizes?.(await tablesOf(catalog, names))) ?? []
  } finally {
    await catalog.close()
  }
}

describe('DuckDB', () => {
  const path = join(folder, 'raw.duckdb')
  const run = async (...all: readonly string[]): Promise<void> => {
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    for (const sql of all) await connection.run(sql)
    connection.closeSync()
    instance.closeSync()
  }
  beforeAll(() => run(...STATEMENTS))
  // the file is one, so that a change of one table is a change of all
  keptAnswers(() => `duckdb:${path}`, { change: run, oneByOne: false })

  test('a statement that is stopped ends', async () => {
    const catalog = await openCatalog(`duckdb:${path}`)
    const stop = new AbortController()
    const reason = new Error('stopped')
    const long = catalog.query?.('select sum(a.range * b.range) from range(1000000) a, range(1000000) b', {
      signal: stop.signal,
    })
    setTimeout(() => stop.abort(reason), 50)
    await expect(long).rejects.toBe(reason)
    expect(await catalog.query?.('select 1 as one')).toEqual([{ one: 1 }])
    await catalog.close()
  })
})

describe('SQLite', () => {
  const path = join(folder, 'raw.sqlite')
  const run = async (...all: readonly string[]): Promise<void> => {
    const database = new DatabaseSync(path)
    for (const sql of all) database.exec(sql)
    database.close()
  }
  beforeAll(() => run(...STATEMENTS))
  keptAnswers(() => `sqlite:${path}`, { change: run, oneByOne: false })
})

test('kept answers are for their owner alone, and broken ones count as none', async () => {
  const place = mkdtempSync(join(folder, 'kept-'))
  const address = 'postgres://me:hidden@db.example/shop?password=hidden'
  const answers = await openAnswers(place, { address, fresh: false })
  await answers.write('key', [{ rows: 12n, name: 'a' }])
  expect(await answers.read('key')).toEqual([{ rows: '12', name: 'a' }])
  const cache = join(place, '.stagecraft', 'cache')
  expect(readFileSync(join(cache, '.gitignore'), 'utf8')).toBe('*\n')
  const [name = ''] = readdirSync(join(cache, 'profiles'))
  const file = join(cache, 'profiles', name)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(cache, 'profiles')).mode & 0o777).toBe(0o700)
  expect(readFileSync(file, 'utf8')).toBe('[{"rows":"12","name":"a"}]')
  // the password is no part of the place, the user is
  const again = await openAnswers(place, { address: 'postgres://me:new@db.example/shop', fresh: false })
  expect(await again.read('key')).toHaveLength(1)
  const other = await openAnswers(place, { address: 'postgres://you@db.example/shop', fresh: false })
  expect(await other.read('key')).toBeUndefined()
  writeFileSync(file, '[{"rows":')
  expect(await answers.read('key')).toBeUndefined()
})

// Tables that are too large to be read whole, made small by low limits, on real engines.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { openCatalog } from '@stagecraft/catalogs'
import {
  observeIn,
  type ObserveCatalogOptions,
  type Observed,
  suggestionsOf,
} from '@stagecraft/core/inference'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithServer, mysqlServer, postgresServer } from './servers.ts'

const PARENTS = 1_000
const MIDDLE = 4_500
const HUGE = 12_000
const LIMITS = { exactRows: 2_000, wholeRows: 7_000, sampleRows: 2_000 }

/** Rows of a table, as values of an insert: key, parent, a list, an amount, a number that comes twice. */
function rowsOf(count: number): readonly string[] {
  const rows = Array.from({ length: count }, (_, at) => {
    const status = ['open', 'closed', 'on hold'][at % 3]
    return `(${at + 1}, ${((at * 7) % PARENTS) + 1}, '${status}', ${at % 50}, ${Math.floor(at / 2)})`
  })
  return Array.from({ length: Math.ceil(count / 3000) }, (_, at) =>
    rows.slice(at * 3000, at * 3000 + 3000).join(', '),
  )
}

const NAMES = { customers: PARENTS, refunds: MIDDLE, orders: HUGE, events: HUGE }

/** The names of the first, second and last column: `events` has no key, since every number in `id` comes twice. */
const COLUMNS: Readonly<Record<string, readonly [string, string, string]>> = {
  customers: ['id', 'rank', 'half'],
  events: ['seq', 'customer_id', 'id'],
}

const STATEMENTS = Object.entries(NAMES).flatMap(([name, count]) => {
  const [key, second, last] = COLUMNS[name] ?? ['id', 'customer_id', 'half']
  return [
    `create table ${name} (${key} integer, ${second} integer, status varchar(20), quantity integer, ${last} integer)`,
    ...rowsOf(count).map((rows) => `insert into ${name} values ${rows}`),
  ]
})

async function observe(
  address: string,
  options: Partial<ObserveCatalogOptions> = {},
): Promise<{ readonly observed: Observed; readonly statements: readonly string[] }> {
  const catalog = await openCatalog(address)
  const statements: string[] = []
  try {
    const observed = await observeIn(
      {
        ...catalog,
        query: async (sql, how) => {
          statements.push(sql)
          return (await catalog.query?.(sql, how)) ?? []
        },
      },
      await catalog.tables({}),
      { asked: 'profile', limits: LIMITS, ...options },
    )
    return { observed, statements }
  } finally {
    await catalog.close()
  }
}

interface Traits {
  /** Different values are estimated before rows are sampled. */
  readonly estimates: boolean
}

function largeTables(address: () => string, { estimates }: Traits): void {
  let whole: ReturnType<typeof observe> | undefined
  const observeAll = (): ReturnType<typeof observe> => (whole ??= observe(address()))

  test('huge tables are read in part, and say so', async () => {
    const { observed } = await observeAll()
    expect(observed.failures).toEqual([])
    const profiles = new Map(observed.profiles.map(({ profile, table }) => [table.name, profile]))
    const sampled = [...profiles].filter(([, profile]) => profile?.sampled).map(([name]) => name)
    expect(sampled.toSorted()).toEqual(estimates ? ['events', 'orders'] : ['events', 'orders', 'refunds'])
    for (const name of sampled) {
      expect(profiles.get(name)?.rows).toBeGreaterThan(500)
      expect(profiles.get(name)?.rows).toBeLessThan(LIMITS.sampleRows * 2.5)
    }
    expect(profiles.get('customers')).toMatchObject({ rows: PARENTS, columns: { id: { distinct: PARENTS } } })
    if (estimates)
      expect(profiles.get('refunds')).toMatchObject({ rows: MIDDLE, columns: { id: { approximate: true } } })
  })

  test('keys and references of huge tables are found, and those that rows break are not', async () => {
    const { observed } = await observeAll()
    const keys = new Map(observed.inference.keys.map((key) => [key.table.name, key]))
    for (const name of ['customers', 'refunds', 'orders'])
      expect(keys.get(name), name).toMatchObject({ columns: ['id'], origin: 'data' })
    expect(keys.get('customers')?.sampled).toBeUndefined()
    expect(keys.get('orders')).toMatchObject({ sampled: true })
    // one in six is looked up, with all that have the same value
    expect(keys.get('orders')?.rows).toBeGreaterThan(HUGE / 30)
    expect(keys.get('orders')?.rows).toBeLessThan(HUGE / 2)
    if (estimates) expect(keys.get('refunds')).toMatchObject({ rows: MIDDLE })
    expect(keys.get('events')?.columns).not.toContain('id')
    const references = observed.inference.references.map(
      ({ child, origin, parent, values }) =>
        `${child.table.name}.${child.columns.join()} ${parent.table.name} ${origin} ${values?.orphans}`,
    )
    expect(references).toEqual(
      expect.arrayContaining(['orders.customer_id customers data 0', 'refunds.customer_id customers data 0']),
    )
    const orders = observed.tables.find(({ name }) => name === 'orders')?.observed
    expect(orders).toMatchObject({
      sampled: true,
      key: { columns: ['id'] },
      values: [{ column: 'status', values: ['closed', 'on hold', 'open'] }],
      ranges: [{ column: 'quantity', min: 0 }],
    })
    const why = suggestionsOf(observed.inference, {}).filter(({ table }) => table.name === 'orders')
    for (const suggestion of why)
      expect(suggestion.why, suggestion.id).toMatch(/a sample of [\d,]+ (?:rows|distinct values)$/)
    expect(why.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['key', 'references', 'values', 'range']),
    )
  })

  test('tables over the budget of rows are not read further than to it', async () => {
    const { observed, statements } = await observe(address(), { maxRows: 2_500 })
    expect(observed.failures.map(({ code, table }) => `${table.name} ${code}`).toSorted()).toEqual([
      'events TABLE_TOO_LARGE',
      'orders TABLE_TOO_LARGE',
      'refunds TABLE_TOO_LARGE',
    ])
    const counts = statements.filter((sql) => sql.startsWith('select count(*) as row_count from (select 1'))
    for (const sql of counts) expect(sql).toMatch(/limit (?:2001|2501)\)/)
    for (const name of ['events', 'orders', 'refunds'])
      expect(statements.filter((sql) => sql.includes(name) && !counts.includes(sql))).toEqual([])
  })

  test('tables over the budget of bytes are not read', async () => {
    const all = await observe(address(), { maxBytes: 1e12 })
    expect(all.observed.failures).toEqual([])
    const { observed } = await observe(address(), { maxBytes: 1 })
    expect(observed.failures.length).toBe(4)
    expect(observed.failures[0]?.reason).toMatch(/^it takes [\d.]+ [kM]?B, more than 1 bytes$/)
  })
}

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-large-'))
afterAll(() => rmSync(folder, { recursive: true }))
const own = `stagecraft_${crypto.randomUUID().slice(0, 8)}`

describe('DuckDB', () => {
  const path = join(folder, 'raw.duckdb')
  beforeAll(async () => {
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    for (const sql of STATEMENTS) await connection.run(sql)
    connection.closeSync()
    instance.closeSync()
  })
  largeTables(() => `duckdb:${path}`, { estimates: true })
})

describe('SQLite', () => {
  const path = join(folder, 'raw.sqlite')
  beforeAll(() => {
    const database = new DatabaseSync(path)
    for (const sql of ['begin', ...STATEMENTS, 'commit']) database.exec(sql)
    database.close()
  })
  largeTables(() => `sqlite:${path}`, { estimates: false })
})

const postgres = await postgresServer()
describeWithServer('PostgreSQL', postgres, () => {
  const url = Object.assign(new URL(postgres.url), { pathname: `/${own}` }).href
  const run = async (address: string, ...all: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      for (const sql of all) await client.query(sql)
    } finally {
      await client.end()
    }
  }
  beforeAll(async () => {
    await run(postgres.url, `create database ${own}`)
    // the others were never counted, so that they have no estimate
    await run(url, ...STATEMENTS, 'analyze orders')
  })
  afterAll(() => run(postgres.url, `drop database if exists ${own} with (force)`))
  largeTables(() => url, { estimates: false })
})

const mysql = await mysqlServer()
describeWithServer('MariaDB or MySQL', mysql, () => {
  const url = Object.assign(new URL(mysql.url), { pathname: `/${own}` }).href
  const run = async (address: string, ...all: readonly string[]): Promise<void> => {
    const client = await createConnection({ uri: address })
    try {
      for (const sql of all) await client.query(sql)
    } finally {
      await client.end()
    }
  }
  beforeAll(async () => {
    await run(mysql.url, `create database ${own}`)
    await run(url, ...STATEMENTS)
  })
  afterAll(() => run(mysql.url, `drop database if exists ${own}`))
  largeTables(() => url, { estimates: false })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { openCatalog } from '@stagecraft/catalogs'
import { observedCatalog, type Observed } from '@stagecraft/core/inference'
import type { CatalogTable } from '@stagecraft/spec'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithServer, mysqlServer, postgresServer } from './servers.ts'

/** The same tables for every engine; `q` quotes a name as the engine does. */
function statements(
  q: (name: string) => string,
  types: { readonly text: string; readonly real: string },
): readonly string[] {
  const users = q('Us"er`s {{ x }}')
  const rows = Array.from({ length: 150 }, (_, at) => at + 1)
  const wide = Array.from({ length: 130 }, (_, at) => `c${at} integer`).join(', ')
  return [
    `create table ${users} (id integer, ${q('e-mail')} ${types.text}, lost integer, ratio ${types.real})`,
    `insert into ${users} values ${rows.map((at) => `(${at * 7}, 'user${at}@example.com', null, ${at}.5)`).join(', ')}`,
    `create table customers (customer_id integer, name ${types.text})`,
    `insert into customers values ${rows.map((at) => `(${at}, 'n${at % 9}')`).join(', ')}`,
    `create table orders (id integer, customer_id integer, ${q('select')} ${types.text})`,
    `insert into orders values ${rows.map((at) => `(${at + 1000}, ${(at % 60) + 1}, 'x')`).join(', ')}`,
    `create table order_lines (order_id integer, line_number integer, customer_id integer)`,
    ...rows.map(
      (at) => `insert into order_lines values (${1001 + (at % 50)}, ${Math.ceil(at / 50)}, ${at + 20})`,
    ),
    `create table twice (id integer, note ${types.text})`,
    `insert into twice values (1, 'a'), (1, 'b'), (2, 'c')`,
    `create table nobody (id integer, customer_id integer)`,
    `create table wide (${wide})`,
    `create table gone (id integer)`,
    `create view broken as select id, id as customer_id from gone`,
  ]
}

const BREAK = 'drop table gone'

interface Engine {
  /** Opens what was made, runs the work, and closes it. */
  readonly address: string
}

async function observe({
  address,
}: Engine): Promise<{ tables: readonly CatalogTable[]; observed: Observed; queries: number }> {
  const catalog = await openCatalog(address)
  let observed: Observed | undefined
  let queries = 0
  try {
    const counting = {
      ...catalog,
      query: async (sql: string) => {
        queries += 1
        return (await catalog.query?.(sql)) ?? []
      },
    }
    const tables = await observedCatalog(counting, {
      asked: 'profile',
      onObserved: (found) => (observed = found),
    }).tables({})
    if (!observed) throw new Error('nothing was observed')
    return { tables, observed, queries }
  } finally {
    await catalog.close()
  }
}

function observedBehaviour(
  engine: () => Engine,
  { broken = true }: { readonly broken?: boolean } = {},
): void {
  test('keys and references that the rows keep', async () => {
    const { observed, queries, tables } = await observe(engine())
    const byName = new Map(tables.map((table) => [table.name, table.observed]))
    expect(byName.get('orders')).toMatchObject({
      rows: 150,
      key: { columns: ['id'] },
      references: [{ columns: ['customer_id'], references: { table: { name: 'customers' } }, values: 60 }],
    })
    expect(byName.get('order_lines')).toMatchObject({ key: { columns: ['order_id', 'line_number'] } })
    // Twenty of its customers are none.
    expect(byName.get('order_lines')?.references?.map(({ columns }) => columns)).toEqual([['order_id']])
    expect(byName.get('twice')).toEqual({ rows: 3 })
    expect(byName.get('nobody')).toEqual({ rows: 0 })
    const users = observed.profiles.find(({ table }) => table.name.startsWith('Us'))
    expect(users?.profile).toMatchObject({
      rows: 150,
      columns: {
        id: { nulls: 0, distinct: 150, min: 7, max: 1050 },
        'e-mail': { nulls: 0, distinct: 150, minLength: 17, maxLength: 19 },
        lost: { nulls: 150, distinct: 0 },
        ratio: { min: 1.5, max: 150.5 },
      },
    })
    expect(observed.failures.map(({ table }) => table.name)).toEqual(broken ? ['broken'] : [])
    expect(queries / tables.length).toBeLessThan(3)
  })
}

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-observe-'))
afterAll(() => rmSync(folder, { recursive: true }))
const doubled = (name: string): string => `"${name.replaceAll('"', '""')}"`
const own = `stagecraft_${crypto.randomUUID().slice(0, 8)}`

describe('DuckDB', () => {
  const path = join(folder, 'raw.duckdb')
  beforeAll(async () => {
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    for (const sql of [...statements(doubled, { text: 'varchar', real: 'double' }), BREAK])
      await connection.run(sql)
    await connection.run(
      "create table odd (id uuid, doc json, tags integer[], pair struct(a integer), raw blob, hot double, kind enum ('a', 'b'))",
    )
    await connection.run(
      "insert into odd select gen_random_uuid(), '{}', [1], {'a': 1}, 'x'::blob, unnest(['nan'::double, 'infinity'::double]), 'a'",
    )
    connection.closeSync()
    instance.closeSync()
  })
  observedBehaviour(() => ({ address: `duckdb:${path}` }))

  test('types that are not compared are only counted', async () => {
    const { observed } = await observe({ address: `duckdb:${path}` })
    expect(observed.profiles.find(({ table }) => table.name === 'odd')?.profile?.columns).toEqual({
      id: { nulls: 0, distinct: 2 },
      doc: { nulls: 0 },
      tags: { nulls: 0 },
      pair: { nulls: 0 },
      raw: { nulls: 0 },
      hot: { nulls: 0, distinct: 2 },
      kind: { nulls: 0, distinct: 1, minLength: 1, maxLength: 1 },
    })
  })
})

describe('SQLite', () => {
  const path = join(folder, 'raw.sqlite')
  beforeAll(() => {
    const database = new DatabaseSync(path)
    for (const sql of [...statements(doubled, { text: 'text', real: 'real' }), BREAK]) database.exec(sql)
    database.close()
  })
  observedBehaviour(() => ({ address: `sqlite:${path}` }))
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
    await run(url, ...statements(doubled, { text: 'text', real: 'double precision' }))
    await run(url, 'drop view broken', 'create view broken as select 1 / (random() * 0)::integer as id')
  })
  afterAll(() => run(postgres.url, `drop database if exists ${own} with (force)`))
  observedBehaviour(() => ({ address: url }))

  test('a table that may not be read is a failure of its own', async () => {
    await run(
      url,
      `create role ${own} login`,
      `grant select on all tables in schema public to ${own}`,
      `revoke select on customers from ${own}`,
    )
    try {
      const { observed } = await observe({ address: Object.assign(new URL(url), { username: own }).href })
      expect(observed.failures.map(({ table }) => table.name)).toEqual(['broken', 'customers'])
      const orders = observed.tables.find(({ name }) => name === 'orders')
      expect(orders?.observed).toEqual({ rows: 150, key: { columns: ['id'], confidence: 0.97 } })
    } finally {
      await run(url, `drop owned by ${own}`, `drop role ${own}`)
    }
  })

  test('types that cannot be compared leave the other columns as they are', async () => {
    await run(url, 'create table papers (id integer, doc xml, mac macaddr, query tsquery)')
    await run(
      url,
      "insert into papers select n, '<a/>', '08:00:2b:01:02:03', 'a' from generate_series(1, 200) n",
    )
    const { observed } = await observe({ address: url })
    await run(url, 'drop table papers')
    expect(observed.profiles.find(({ table }) => table.name === 'papers')?.profile?.columns).toEqual({
      id: { nulls: 0, distinct: 200, min: 1, max: 200 },
      doc: { nulls: 0 },
      mac: { nulls: 0 },
      query: { nulls: 0 },
    })
    expect(observed.tables.find(({ name }) => name === 'papers')?.observed).toMatchObject({
      key: { columns: ['id'] },
    })
  })

  test('a statement that writes is refused', async () => {
    const catalog = await openCatalog(url)
    await expect(catalog.query?.('delete from orders')).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
    await catalog.close()
  })
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
    await run(mysql.url, `create database ${own} character set utf8mb4`)
    const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``
    await run(url, ...statements(quoted, { text: 'varchar(80)', real: 'double' }), BREAK)
  })
  afterAll(() => run(mysql.url, `drop database if exists ${own}`))
  observedBehaviour(() => ({ address: url }))
})

test('a list of columns has no rows', async () => {
  const path = new URL('./cli/columns.yml', import.meta.url).pathname
  const catalog = await openCatalog(path)
  expect(() => observedCatalog(catalog, { asked: '--profile' })).toThrow(
    '--profile: expected a catalog whose rows can be read (duckdb:, postgres://, mysql://, sqlite:), got a catalog that is read from a file',
  )
})

test('a signal stops between two statements', async () => {
  const catalog = await openCatalog(`sqlite:${join(folder, 'raw.sqlite')}`)
  const controller = new AbortController()
  const tables = observedCatalog(catalog, {
    asked: 'profile',
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('stopped')),
  }).tables({})
  await expect(tables).rejects.toThrow('stopped')
  await catalog.close()
})

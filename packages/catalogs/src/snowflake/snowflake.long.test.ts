import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Catalog } from '@stagecraft/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repositoryPath } from '../../../../test/paths.ts'
import { openExport } from '../../../../test/suites/exported.ts'
import { checkCatalog } from '../check/check-catalog.ts'
import type { CheckStep } from '../check/check-step.ts'
import { openCatalog } from '../open.ts'
import type { Row } from '../warehouse/statement.ts'

const folder = repositoryPath('.venvs/fakesnow')
const isInstalled = existsSync(`${folder}/done`)
const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])

const SEED = [
  `create table customers (id number(38,0) primary key, email varchar(320) not null)`,
  `create table orders (id number(38,0) not null primary key, "lower" varchar not null, v variant, t timestamp_ntz,
     f float, b binary, d date, ti time, amount number(12,2) default 0, flag boolean)`,
  `comment on table orders is 'All orders'`,
  `comment on column orders.id is 'The number'`,
  `create table "Weird ""Name""" (id int)`,
  `create view recent as select id from orders`,
  `create table orders__dbt_tmp (id int)`,
  `insert into orders (id, "lower", t, d, amount, flag) values
     (1, 'a', '2024-02-29 12:34:56.5', '2024-02-29', 12.5, true)`,
  `create schema other`,
  `create table other.notes (id int)`,
]

/** Prints rows of SHOW as a query. Without rows, it has the headers that are read. */
function asValues(rows: readonly Row[]): string {
  const headers = rows[0]
    ? Object.keys(rows[0])
    : [
        'schema_name',
        'table_name',
        'column_name',
        'key_sequence',
        'constraint_name',
        'fk_schema_name',
        'fk_table_name',
        'fk_column_name',
        'fk_name',
        'pk_schema_name',
        'pk_table_name',
        'pk_column_name',
      ]
  const literal = (cell: unknown): string =>
    cell === null
      ? 'null'
      : `'${(typeof cell === 'string' ? cell : JSON.stringify(cell)).replaceAll("'", "''")}'`
  const selects = (rows.length > 0 ? rows : [{}]).map(
    (row: Row) =>
      `select ${headers.map((name) => `${literal(row[name] ?? null)} as "${name.toLowerCase()}"`).join(', ')}`,
  )
  return `(${selects.join(' union all ')}${rows.length > 0 ? '' : ' where 1 = 0'})`
}

const quoted = (text: string) => ({ text, quoted: true })

describe.skipIf(!isInstalled && !isRequired)('the SQL API before an emulated Snowflake', () => {
  const child = spawn(`${folder}/bin/python`, [repositoryPath('test/engines/fakesnow_api.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const text = (port: string, path: string): string =>
    `snowflake://me@127.0.0.1:${port}/${path}?account=acme&protocol=http&authenticator=oauth&token=secret`
  let port = ''
  let catalog: Catalog
  beforeAll(async () => {
    child.stdin.end(SEED.map((statement) => `${JSON.stringify(statement)}\n`).join(''))
    for await (const line of createInterface({ input: child.stdout })) {
      port = line
      break
    }
    catalog = await openCatalog(text(port, 'DB1/S1'))
  }, 60_000)
  afterAll(async () => {
    await catalog.close()
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  })

  test('reads tables, columns in pages, types, keys and comments, with their case', async () => {
    const tables = await catalog.tables({})
    expect(tables.map(({ name }) => name)).toEqual(['CUSTOMERS', 'ORDERS', 'RECENT', 'Weird "Name"'])
    expect(tables[1]).toEqual({
      database: 'DB1',
      schema: 'S1',
      name: 'ORDERS',
      kind: 'table',
      comment: 'All orders',
      columns: [
        { name: 'ID', type: 'NUMBER(38,0)', nullable: false, comment: 'The number' },
        { name: 'lower', type: 'VARCHAR', nullable: false },
        { name: 'V', type: 'VARIANT' },
        { name: 'T', type: 'TIMESTAMP_NTZ' },
        { name: 'F', type: 'FLOAT' },
        { name: 'B', type: 'BINARY' },
        { name: 'D', type: 'DATE' },
        { name: 'TI', type: 'TIME' },
        { name: 'AMOUNT', type: 'NUMBER(12,2)', default: '0' },
        { name: 'FLAG', type: 'BOOLEAN' },
      ],
      primaryKey: ['ID'],
    })
    expect(tables[0]?.columns[1]).toEqual({ name: 'EMAIL', type: 'VARCHAR(320)', nullable: false })
    expect(catalog.warnings?.map(({ message }) => message)).toEqual([
      expect.stringContaining('one temporary table of a dbt run') as string,
    ])
  })

  test('finds one table, by exact name or by one that folds', async () => {
    expect((await catalog.describe({ table: quoted('Weird "Name"') })).columns).toHaveLength(1)
    expect((await catalog.describe({ table: { text: 'orders', quoted: false } })).name).toBe('ORDERS')
    await expect(catalog.describe({ table: quoted('ORDER') })).rejects.toMatchObject({
      code: 'INVALID_SOURCE',
    })
  })

  test('reads every schema of a database', async () => {
    const whole = await openCatalog(text(port, 'DB1'))
    const schemas = (await whole.tables({})).map(({ schema }) => schema)
    expect([...new Set(schemas)]).toEqual(['OTHER', 'S1'])
    await whole.close()
  })

  test('runs a query, with the values of its types', async () => {
    const rows = await catalog.query?.(
      `select id, t, d, amount, flag, '?' as mark, null as nothing from orders`,
    )
    expect(rows).toEqual([
      {
        ID: 1,
        T: '2024-02-29 12:34:56.5',
        D: '2024-02-29',
        AMOUNT: 12.5,
        FLAG: true,
        MARK: '?',
        NOTHING: null,
      },
    ])
  })

  test('cancels a statement in the warehouse if the caller stops', async () => {
    const caller = new AbortController()
    const waiting = catalog.query?.('select system$wait(60)', { signal: caller.signal })
    setTimeout(() => caller.abort(new Error('enough')), 300)
    await expect(waiting).rejects.toThrow('enough')
  })

  test('reports refusals, without the token', async () => {
    await expect(catalog.query?.('select * from nothing')).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringMatching(
        /^cannot read Snowflake at 127\.0\.0\.1:\d+: .*does not exist/,
      ) as string,
    })
  })

  test('passes every step of the doctor', async () => {
    const steps: CheckStep[] = []
    // a schema is found in any case, as in other commands
    for await (const step of checkCatalog(text(port, 'DB1'), { schema: 's1' })) steps.push(step)
    expect(steps.find(({ name }) => name === 'cancel')?.told).toMatch(
      /^a statement ended \d+ ms after it was stopped/,
    )
    const keys = ['primary_keys', 'unique_keys', 'imported_keys']
    expect(steps.map(({ name, outcome }) => `${name}: ${outcome}`)).toEqual([
      ...['address', 'host', 'port', 'driver', 'connect'].map((name) => `${name}: works`),
      ...['schemas', 'tables', 'columns', ...keys].map((name) => `statement ${name}: works`),
      ...['schemas', 'tables'].map((name) => `statement ${name}: works`),
      'tables: works',
      'warning: warns',
      'sizes: works',
      'rights: works',
      'rows: works',
      'cancel: works',
    ])
    expect(steps.find(({ name }) => name === 'rows')?.told).toBe('1 row of "DB1"."S1"."ORDERS"')
    expect(JSON.stringify(steps)).not.toContain('secret')
  })

  test('runs the exported statements, whose results are read back unchanged', async () => {
    const query = async (sql: string): Promise<readonly Row[]> => (await catalog.query?.(sql)) ?? []
    // fakesnow has no pipe operator: the rows of SHOW take the place of their numbers
    const run = async (chain: string): Promise<readonly Row[]> => {
      const parts = chain.split('\n->> ')
      const shown = await Promise.all(parts.slice(0, -1).map(query))
      const number = (position: string): readonly Row[] => shown.at(-Number(position)) ?? []
      return query(
        (parts.at(-1) ?? '').replaceAll(/\bfrom \$(\d)/g, (_, at: string) => `from ${asValues(number(at))}`),
      )
    }
    const exported = await openExport({ dialect: 'snowflake', database: 'DB1', schemas: ['S1'] }, run)
    expect(exported.dialect).toBe('snowflake')
    expect(await exported.tables({})).toEqual(await catalog.tables({}))
  })
})

// A new raw column in models that people changed: the SQL stays valid and gives the same rows, or a person is asked.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { runWarm, temporaryFolder } from './run-cli.ts'

const MODEL = 'models/staging/shop/stg_shop__orders.sql'
const tableWith = (...columns: readonly string[]): string =>
  `create table shop.orders (id bigint primary key, amount numeric(10,2), status text${columns.map((one) => `, ${one} text`).join('')});\n`

/** A followed table whose generated model a person replaced. */
async function followed(edit: (sql: string) => string): Promise<{ folder: string; before: string }> {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'models'))
  const files = {
    'dbt_project.yml': 'name: acme\nprofile: acme\n',
    'stagecraft.yml': 'catalog: schema.sql?dialect=duckdb\n',
    'schema.sql': tableWith(),
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  expect(await runWarm(['apply', 'shop.*'], { folder })).toMatchObject({ code: 0 })
  const before = edit(readFileSync(join(folder, MODEL), 'utf8'))
  writeFileSync(join(folder, MODEL), before)
  writeFileSync(join(folder, 'schema.sql'), tableWith('note'))
  return { folder, before }
}

const SETUP = [
  'create schema shop',
  'create table shop.orders (id bigint, amount decimal(10, 2), status text, note text)',
  "insert into shop.orders values (1, 5, 'a', 'x'), (2, 7, 'b', 'y'), (3, 1, 'a', null)",
  'create table shop.customers (id bigint, email text, note text)',
  "insert into shop.customers values (1, 'e', 'his'), (2, 'f', 'hers')",
]

/** The rows of a model by the names of its columns. */
async function rowsOf(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    for (const statement of SETUP) await connection.run(statement)
    const rendered = sql
      .replaceAll(/\{\{\s*source\('shop', ?'orders'\)\s*\}\}/g, 'shop.orders')
      .replaceAll("{{ ref('customers') }}", 'shop.customers')
    const reader = await connection.runAndReadAll(`select * from (${rendered}) order by all`)
    return reader.getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const last =
  (text: string) =>
  (sql: string): string =>
    sql.replace('select * from renamed', text)
const raw = "{{ source('shop', 'orders') }}"

test.each<readonly [string, (sql: string) => string, isPassedOn: boolean]>([
  ['a union of the same columns', last('select * from renamed union all select * from renamed'), true],
  ['more columns beside a star', last('select *, amount * 2 as twice from renamed'), true],
  ['a window', last('select *, row_number() over (order by order_id) as at from renamed'), true],
  [
    'a join',
    last("select r.*, c.email from renamed r left join {{ ref('customers') }} c on c.id = r.order_id"),
    true,
  ],
  ['another name of its select', (sql) => sql.replaceAll('renamed', 'final'), true],
  [
    'another select behind it',
    last(', big as (select * from renamed where amount > 1) select * from big'),
    true,
  ],
  ['columns by name', last('select order_id, status from renamed'), false],
  ['groups behind it', last('select status, sum(amount) as amount from renamed group by status'), false],
  [
    'a qualifier',
    () =>
      `select o.id as order_id, o.status, c.email from ${raw} o left join {{ ref('customers') }} c on c.id = o.id`,
    true,
  ],
  ['a star of the raw table', () => `select *, id as order_id from ${raw}`, true],
  ['a star without a column', () => `select * exclude (id), id as order_id from ${raw}`, true],
  ['commas first', () => `select\n  id as order_id\n, status\nfrom ${raw}\n`, true],
  ['a comma at the end', () => `select\n  id as order_id,\n  status,\nfrom ${raw}\n`, true],
])('a model with %s gets a new column and the same rows', async (_, edit, isPassedOn) => {
  const { before, folder } = await followed(edit)
  const plan = await runWarm(['plan'], { folder })
  expect(await runWarm(['apply'], { folder })).toMatchObject({ code: 0 })
  const [was, is] = [await rowsOf(before), await rowsOf(readFileSync(join(folder, MODEL), 'utf8'))]
  expect(is.map(({ note: _note, ...row }) => row)).toEqual(was.map(({ note: _note, ...row }) => row))
  expect(is.every((row) => 'note' in row)).toBe(isPassedOn)
  expect(plan.stdout.includes('the last select does not name the new note; add it there too')).toBe(
    !isPassedOn,
  )
  expect(await runWarm(['check'], { folder })).toMatchObject({ code: 0 })
})

test.each<readonly [string, (sql: string) => string]>([
  ['a union', (sql) => sql.replace('    from source\n\n)', '    from source union all select 0, null, 0\n)')],
  ['a union', last('select * from renamed union all select 0, null, 0')],
  ['group by', () => `select status, sum(amount) as amount from ${raw} group by status`],
  ['group by', last('select *, count(*) as n from renamed group by all')],
  ['an aggregate', () => `select max(id) as order_id, sum(amount) as amount from ${raw}`],
  ['select distinct', () => `select distinct status from ${raw}`],
  ['select distinct', last('select distinct * from renamed')],
  ['a list of column names', (sql) => sql.replace('renamed as (', 'renamed (order_id, status, amount) as (')],
  ['a natural join', last("select * from renamed natural join {{ ref('customers') }}")],
  ['a join', () => `select status, email from ${raw} join {{ ref('customers') }} using (id)`],
  ['a column of this name', last("select *, 'mine' as note from renamed")],
])('%s keeps a new column from being added, which a person decides', async (obstacle, edit) => {
  const { before, folder } = await followed(edit)
  const refused = await runWarm(['apply'], { folder })
  expect(refused.code).toBe(2)
  expect(refused.stderr + refused.stdout).toMatch(
    new RegExp(`line \\d+: note is a new column \\(note\\), and ${obstacle} keeps it from being added`),
  )
  expect(readFileSync(join(folder, MODEL), 'utf8')).toBe(before)
  const marked = await runWarm(['plan', '--conflict', 'markers'], { folder })
  expect(marked.stdout).toMatch(/^\+>{7} [^]*$/m)
  expect(await runWarm(['apply', '--conflict', 'ours'], { folder })).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, MODEL), 'utf8')).toBe(before)
  expect(await runWarm(['check'], { folder })).toMatchObject({ code: 0 })
})

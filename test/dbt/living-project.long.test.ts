import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { readFolder, runCli } from '../cli/run-cli.ts'
import { type Dbt, failures, runDbt, writeProject } from './dbt.ts'
import { testWithDbt } from './with-dbt.ts'

const TABLES = Array.from({ length: 29 }, (_, index) => `t${String(index).padStart(2, '0')}`)

async function runSql(path: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  try {
    for (const statement of statements) await connection.run(statement)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const create = (table: string): string =>
  `create table ${table} as select 1 as id, 'a' as name, 7 as amount, true as active, timestamp '2026-01-01' as created_at, 'x' as note`

/** The text of a file changed as a person would; the same person does the same to every fifth model. */
const HANDS: readonly ((sql: string) => string)[] = [
  (sql) =>
    sql.replace(
      'select * from renamed',
      '-- only what was paid\nselect * from renamed where amount is not null',
    ),
  (sql) => sql.replace('        name,', '        upper(name) as name, -- as the shop prints it'),
  (sql) => sql.replace(/\n {8}amount,?\n/, (line) => `\n        amount * 100 as cents,${line}`),
  (sql) =>
    `{{ config(tags=['ours']) }}\n\n${sql.replaceAll('select', 'SELECT').replaceAll('from', 'FROM').replaceAll('    ', '  ')}`,
  (sql) => {
    const [head = '', rest = ''] = sql.split('    select\n', 2)
    const [list = '', tail = ''] = rest.split('\n    from source', 2)
    const items = list
      .split('\n')
      .map((line) => line.trim().replace(/,$/, ''))
      .filter((line) => line !== '' && !line.startsWith('--'))
    return `${head}    select\n        ${items.join('\n        , ')} -- ours\n    from source${tail}`
  },
]

/** Hand-written sources of a schema, of which a few tables are declared. */
const SOURCES = `# Who loads what: ask Mei.
sources:
- name: raw_shop          # the old name
  schema: shop
  config: {meta: {owner: "mei", tier: 1}}
  tables:
  - name: t00
    description: >
      The first table,
      described over two lines.

  - name: t01   # next
    columns:
    - name: id
      data_tests: [not_null]
`

interface Living {
  readonly project: string
  readonly database: string
  readonly models: () => readonly string[]
}

/** Generates a project, and edits every model of it by hand. */
async function livingProject(): Promise<Living> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-living-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [project, database] = [join(folder, 'project'), join(folder, 'raw.duckdb')]
  await runSql(database, [
    'create schema shop',
    'create schema crm',
    ...TABLES.map((table) => create(`shop.${table}`)),
    create('crm.t00'),
  ])
  await writeProject(project, { type: 'duckdb', path: database })
  mkdirSync(join(project, 'models'))
  writeFileSync(join(project, 'models/who_loads_what.yml'), SOURCES)
  expect(await stagecraft(project, database, 'apply', 'shop.*', 'crm.*')).toMatchObject({ code: 0 })
  const models = (): readonly string[] =>
    Object.keys(readFolder(join(project, 'models'))).filter((path) => path.endsWith('.sql'))
  for (const [index, path] of models().entries()) {
    const file = join(project, 'models', path)
    const text = readFileSync(file, 'utf8')
    const edited = HANDS[index % HANDS.length]?.(text) ?? ''
    expect(edited).not.toBe(text)
    writeFileSync(file, edited)
  }
  const moved = join(project, 'models/marts/t10.sql')
  mkdirSync(dirname(moved), { recursive: true })
  renameSync(join(project, 'models/staging/raw_shop/stg_raw_shop__t10.sql'), moved)
  for (const path of Object.keys(readFolder(join(project, 'models'))).filter((path) =>
    path.endsWith('models.yml'),
  )) {
    const file = join(project, 'models', path)
    const text = readFileSync(file, 'utf8').replace('stg_raw_shop__t10', 't10')
    writeFileSync(
      file,
      text.replaceAll(
        '      - name: name\n',
        '      - name: name   # by hand\n        config: {meta: {pii: true}}\n',
      ),
    )
  }
  return { project, database, models }
}

function stagecraft(
  project: string,
  database: string,
  ...parameters: readonly string[]
): ReturnType<typeof runCli> {
  return runCli([...parameters, '--catalog', `duckdb:${database}`, '--project-dir', project], {
    folder: project,
  })
}

type Files = Readonly<Record<string, string>>

/** What was said before and is not any more, by file: lines of SQL, commas at their ends aside, facts and comments of YAML. */
function losses(before: Files, after: Files): readonly string[] {
  return Object.entries(before).flatMap(([path, text]) => {
    const now = after[path] ?? ''
    const lost = path.endsWith('.sql') ? lostLines(text, now) : lostFacts(text, now)
    return lost.map((one) => `${path.split('/').at(-1)}: ${one}`)
  })
}

function lostLines(before: string, after: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-lost-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [file, text] of Object.entries({ before, after }))
    writeFileSync(join(folder, file), text.split('\n').map(withoutComma).join('\n'))
  const options = { cwd: folder, encoding: 'utf8' } as const
  const { stdout } = spawnSync('git', ['diff', '--no-index', '-U0', 'before', 'after'], options)
  return stdout.split('\n').flatMap((line) => (/^-(?!-- a\/)/.test(line) ? line.slice(1).trim() : []))
}

function lostFacts(before: string, after: string): readonly string[] {
  const now = new Set([...factsOf(parse(after), ''), ...commentsOf(after)])
  return [...factsOf(parse(before), ''), ...commentsOf(before)].filter((fact) => !now.has(fact))
}

function commentsOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.includes('#') ? line.trim() : []))
}

/** Every value with the names that lead to it. */
function factsOf(value: unknown, place: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${place} ${String(value)}`]
  return Object.entries(value as Record<string, unknown>).flatMap(([key, inner]) => {
    const isNamed = typeof inner === 'object' && inner !== null && 'name' in inner
    return factsOf(inner, `${place}/${isNamed ? String(inner.name) : Array.isArray(value) ? '' : key}`)
  })
}

function withoutComma(line: string): string {
  return line.replace(/,(\s*(?:--.*)?)$/, '$1')
}

async function expectBuilt(dbt: Dbt, project: string, models: readonly string[]): Promise<void> {
  const run = await runDbt(dbt, project, ['build'])
  expect({ code: run.code, output: run.code === 0 ? '' : run.output.slice(-3000) }).toEqual({
    code: 0,
    output: '',
  })
  expect(failures(run)).toEqual([])
  const built = run.results.map(({ unique_id }) => unique_id.split('.').at(-1) ?? '')
  expect(built.filter((one) => models.includes(one)).toSorted()).toEqual(models)
}

const CHANGES = [
  create('shop.refunds'),
  ...['t01', 't02', 't03'].map((table) => `alter table shop.${table} add column tax integer`),
  'alter table shop.t04 drop column note',
  'alter table shop.t05 alter column amount type decimal(12, 2)',
  'alter table shop.t06 rename to t06_archive',
  'drop table shop.t07',
]

/** What the plan said: the column that was dropped, and the type that is another one. */
const LOSSES = [
  '_raw_shop__models.yml: /models/stg_raw_shop__t04/columns/note/name note',
  'stg_raw_shop__t04.sql: note',
  'who_loads_what.yml: /sources/raw_shop/tables/t04/columns/note/name note',
  'who_loads_what.yml: /sources/raw_shop/tables/t04/columns/note/data_type varchar',
  'who_loads_what.yml: /sources/raw_shop/tables/t05/columns/amount/data_type integer',
]

for (const name of ['dbt-1', 'dbt-2'] as const) {
  testWithDbt(
    'a project that people edited follows its warehouse and loses nothing, built by',
    name,
    async (dbt) => {
      const { database, models, project } = await livingProject()
      const names = (): readonly string[] =>
        models()
          .map((path) => basename(path, '.sql'))
          .toSorted()
      expect(names()).toHaveLength(30)
      await expectBuilt(dbt, project, names())
      const before = readFolder(join(project, 'models'))
      await runSql(database, CHANGES)
      const plan = await stagecraft(project, database, 'plan', 'shop.*', 'crm.*', '--prune')
      expect(plan.stdout).toContain('shop.t07 is gone (stg_raw_shop__t07)')
      expect(plan.stdout).toContain('~ amount INTEGER → DECIMAL(12,2)')
      expect(plan.stdout).toMatch(
        /shop\.t06_archive \(stg_raw_shop__t06\)\n.*t06 was probably renamed to t06_archive/,
      )
      expect(plan.stdout).toMatch(
        /orphan +models\/staging\/raw_shop\/stg_raw_shop__t07\.sql\n +edited by hand, so it is not removed/,
      )
      const applied = await stagecraft(project, database, 'apply', 'shop.*', 'crm.*', '--prune')
      expect(applied).toMatchObject({ code: 0 })
      expect(losses(before, readFolder(join(project, 'models')))).toEqual(LOSSES)
      rmSync(join(project, 'models/staging/raw_shop/stg_raw_shop__t07.sql'))
      expect(await stagecraft(project, database, 'apply', 'shop.*', 'crm.*', '--prune')).toMatchObject({
        code: 0,
      })
      const expected = [
        ...Object.keys(before)
          .filter((path) => path.endsWith('.sql'))
          .map((path) => basename(path, '.sql')),
        'stg_raw_shop__refunds',
      ]
      expect(names()).toEqual(expected.filter((one) => !one.endsWith('__t07')).toSorted())
      await expectBuilt(dbt, project, names())
      // Their entries were changed by hand too and stay; tables of which no model is left are no longer followed.
      const check = await stagecraft(project, database, 'check', 'shop.*', 'crm.*')
      expect(check, check.stdout).toMatchObject({ code: 0 })
    },
    900_000,
  )
}

const KEYED = [
  'create schema shop',
  'create table shop.customers (id integer primary key, email varchar not null)',
  `create table shop.orders (id integer primary key, customer_id integer not null references shop.customers (id),
    amount integer not null, state varchar not null check (state in ('open', 'paid')))`,
  "insert into shop.customers values (1, 'a@example.org')",
  "insert into shop.orders values (1, 1, 5, 'open')",
]

for (const name of ['dbt-1', 'dbt-2'] as const) {
  testWithDbt(
    'tests follow the names that a person gave to columns, built by',
    name,
    async (dbt) => {
      const folder = mkdtempSync(join(tmpdir(), 'stagecraft-names-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const [project, database] = [join(folder, 'project'), join(folder, 'raw.duckdb')]
      await runSql(database, KEYED)
      await writeProject(project, { type: 'duckdb', path: database })
      const apply = async (): Promise<void> => {
        const { code, stderr } = await stagecraft(project, database, 'apply', 'shop.*')
        expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
      }
      await apply()
      const edit = (model: string, ...changes: readonly (readonly [string, string])[]): void => {
        const file = join(project, `models/staging/shop/${model}.sql`)
        const text = readFileSync(file, 'utf8')
        const edited = changes.reduce((sql, [from, to]) => sql.replace(from, to), text)
        for (const [, to] of changes) expect(edited).toContain(to)
        writeFileSync(file, edited)
      }
      edit(
        'stg_shop__customers',
        ['id as customer_id', 'id as customer_key'],
        ['email', 'lower(email) as mail'],
      )
      edit(
        'stg_shop__orders',
        ['id as order_id', 'id as order_no'],
        ['        customer_id,', '        customer_id as buyer,'],
      )
      await apply()
      await expectBuilt(dbt, project, ['stg_shop__customers', 'stg_shop__orders'])
      const yaml = (): string => readFileSync(join(project, 'models/staging/shop/_shop__models.yml'), 'utf8')
      expect(yaml()).toMatch(/to: ref\('stg_shop__customers'\)\n +field: customer_key\n/)
      const testOf = (column: string): RegExp =>
        new RegExp(`- name: ${column}\\n(?: {8,}.*\\n)*? +- not_null`)
      for (const column of ['customer_key', 'order_no', 'buyer', 'amount'])
        expect(yaml()).toMatch(testOf(column))
      expect(yaml()).toContain('- name: mail\n')
      expect(yaml()).not.toMatch(testOf('mail')) // it is computed
    },
    600_000,
  )
}

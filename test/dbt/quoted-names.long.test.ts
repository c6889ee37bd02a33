import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { generateProject } from '@stagecraft/core'
import type { Table } from '@stagecraft/spec'
import { expect } from 'vitest'
import { stringify } from 'yaml'
import { type Dbt, failures, runDbt, type Target, writeProject } from './dbt.ts'
import { testWithDbt } from './with-dbt.ts'

/** Names of columns that SQL takes in quotes alone; dbt escapes nothing between those that it writes. */
const KEY = 'a "quoted" key'
const CALL = "env_var('NOT_SET')"

const TABLES: Readonly<Record<string, Table>> = {
  parents: {
    columns: [
      { name: KEY, type: 'integer', nullable: false },
      { name: CALL, type: 'integer', nullable: false },
      { name: 'back\\slash"', type: 'character varying', values: ['x'] },
    ],
    primaryKey: [KEY],
    uniqueKeys: [[CALL]],
  },
  children: {
    columns: [
      { name: 'Parent "one"', type: 'integer' },
      { name: 'Parent (two)', type: 'integer' },
      { name: 'part"', type: 'integer', nullable: false },
    ],
    primaryKey: ['Parent "one"', 'part"'],
    foreignKeys: [
      { columns: ['Parent "one"'], references: { table: { name: 'parents' }, columns: [KEY] } },
      { columns: ['Parent (two)'], references: { table: { name: 'parents' }, columns: [CALL] } },
    ],
  },
}

const ROWS: Readonly<Record<string, readonly string[]>> = {
  parents: ['1', '10', "'x'"],
  children: ['1', '10', '5'],
}

function createStatements(schema: string): readonly string[] {
  const tables = Object.entries(TABLES).map(([name, { columns }]) => {
    const select = columns.map((column, index) => `${ROWS[name]?.[index] ?? ''} as ${inQuotes(column.name)}`)
    return `create or replace view ${schema}.${name} as select ${select.join(', ')}`
  })
  return [`create schema if not exists ${schema}`, ...tables]
}

function inQuotes(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

interface Style {
  readonly dialect: 'duckdb' | 'postgres'
  readonly columns: 'camel' | 'keep'
}

async function passesTests(dbt: Dbt, { columns, dialect }: Style): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'stagecraft-quoted-names-'))
  const schema = `quoted_names_${columns}_${process.pid}_${dbt.name.replaceAll(/\W/g, '_')}`
  try {
    await writeProject(folder, targetOf(dialect, folder, `${schema}_target`))
    const drops = [schema, `${schema}_target`].map((name) => `drop schema if exists ${name} cascade`)
    const hooks = { 'on-run-start': createStatements(schema), 'on-run-end': drops }
    await appendFile(join(folder, 'dbt_project.yml'), stringify(hooks))
    const items = Object.entries(TABLES).map(([name, table]) => ({
      request: { type: 'staging', source: `${schema}.${name}`, options: { addTests: true } } as const,
      table,
    }))
    const { files } = generateProject(items, { dialect, config: { naming: { columns } } })
    for (const { content, path } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    const run = await runDbt(dbt, folder, ['build'])
    expect(failures(run), run.output).toEqual([])
    expect(run.code, run.output).toBe(0)
    const tests = run.results.filter(({ unique_id }) => unique_id.startsWith('test.'))
    expect(tests.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'pass'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function targetOf(dialect: 'duckdb' | 'postgres', folder: string, schema: string): Target {
  if (dialect === 'duckdb') return { type: 'duckdb', path: join(folder, 'warehouse.duckdb'), schema }
  const { hostname, password, pathname, port, username } = new URL(
    process.env['STAGECRAFT_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/test',
  )
  const [user, dbname] = [decodeURIComponent(username), pathname.slice(1)]
  return {
    type: 'postgres',
    host: hostname,
    port: Number(port || 5432),
    user,
    password: decodeURIComponent(password),
    dbname,
    schema,
  }
}

for (const name of ['dbt-1', 'dbt-2'] as const) {
  for (const dialect of ['duckdb', 'postgres'] as const)
    for (const [columns, what] of [
      ['keep', 'with quotes in their names'],
      ['camel', 'whose words are joined'],
    ] as const)
      testWithDbt(
        `tests of columns ${what} pass on ${dialect} in`,
        name,
        (dbt) => passesTests(dbt, { columns, dialect }),
        600_000,
      )
}

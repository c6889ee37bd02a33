// Conversions that models propose for single columns: a value changes only for a reason that the table gives.
import { DuckDBInstance } from '@duckdb/node-api'
import type { DialectName } from '@stagecraft/spec'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { renderJinja } from '../../packages/core/src/verify/sql-parser.ts'
import { describeWithServer, mysqlServer, postgresServer } from '../servers.ts'
import { GOOD_EDITS, WRONG_EDITS } from './corpus/edits.ts'
import { GOOD_IN_DOMAINS, WRONG_IN_DOMAINS } from './corpus/edits-of-domains.ts'
import { type EditCase, read } from './corpus/read-edits.ts'
import { about, answer, modelOf, run, stubborn } from './edit-runs.ts'
import { textType } from './stage-expression.ts'

const NUMBERS: Partial<Record<DialectName, string>> = { bigquery: 'int64', clickhouse: 'Int64' }

function tableOf({ column, dialect }: EditCase) {
  const type = NUMBERS[dialect] ?? 'bigint'
  const spell = (name: string): string => (dialect === 'snowflake' ? name.toUpperCase() : name)
  const columns = [
    { name: spell('order_key'), type },
    column,
    { name: spell('tax'), type },
    { name: spell('cust_nm'), type: textType(dialect) },
  ]
  return { schema: 'shop', name: 'orders', columns }
}

async function stage(one: EditCase, backend = stubborn(answer([about(2, one.said)]))) {
  const { data } = await run({
    dialect: one.dialect,
    tables: [tableOf(one)],
    options: { columnOrder: 'source' },
    backend,
    settings: { allowExpressions: true, onFailure: 'fallback' },
  })
  return data
}

async function isTaken(one: EditCase): Promise<boolean> {
  const plain = await stage(one, stubborn(answer()))
  return (await stage(one)).code !== plain.code
}

function title({ column: { name, type }, dialect, said }: EditCase): string {
  return `${dialect}: ${name} ${type}: ${said.expression ?? said.operation} as ${said.name ?? 'before'}`
}

async function thoseOf(cases: readonly EditCase[], taken: boolean): Promise<readonly string[]> {
  const found: string[] = []
  for (const one of cases) if ((await isTaken(one)) === taken) found.push(title(one))
  return found
}

test('no conversion comes through that the name, the type or the comment gives no reason for', async () => {
  expect(await thoseOf([...WRONG_EDITS, ...WRONG_IN_DOMAINS], true)).toEqual([])
  expect(WRONG_EDITS.length).toBeGreaterThanOrEqual(190)
})

test('of conversions with a reason, at most three in a hundred are lost', async () => {
  const lost = await thoseOf(GOOD_EDITS, false)
  expect(GOOD_EDITS.length).toBeGreaterThanOrEqual(120)
  expect(lost.length / GOOD_EDITS.length, lost.join('\n')).toBeLessThanOrEqual(0.03)
})

test('over columns of many domains, no conversion with a reason is lost', async () => {
  expect(await thoseOf(GOOD_IN_DOMAINS, false)).toEqual([])
  expect(GOOD_IN_DOMAINS.length).toBeGreaterThanOrEqual(58)
})

test.each([
  [
    "state text -- A = active, I = inactive | case state when 'A' then 'active' when 'I' then 'inactive' end => string",
  ],
  ["state text -- A: active, I: inactive | case state when 'A' then 'active' else state end => string"],
  ["smoker text | smoker = 'Y' => boolean"],
  ['active smallint | active = 1 => boolean | is_active'],
  ['email text | lower(trim(email)) => string'],
  ["hired text -- YYYYMMDD | to_date(hired, 'YYYYMMDD') => date | hired_date"],
  ["qty text | coalesce(qty, '') => string", 'null becomes a value'],
  ['nickname text | lower(nickname) => string', 'upper and lower case become the same'],
  ["zip text | lpad(zip, 5, '0') => string", 'longer texts are cut off'],
  ['opened_at timestamptz | opened_at::timestamp => timestamp_ntz', 'the time zone is dropped'],
  ['opened_at timestamp | opened_at::date => date | opened_date', 'the time of day is dropped'],
  ["state text | coalesce(state, 'unknown') => string", 'null becomes a value'],
  [
    'created bigint | epoch_seconds | created_at',
    'its unit of time is a guess, which neither the name nor the comment confirms',
  ],
])('a warning says what changes, and none comes without a loss: %s', async (line, loss?: string) => {
  const [one] = read('postgres', line)
  if (!one) throw new Error('the line has no edit')
  const { warnings } = await stage(one)
  const { name } = one.column
  const message = `${name} is converted as proposed by a language model: ${loss ?? ''}`
  expect(warnings.filter(({ column }) => column === name)).toEqual(
    loss === undefined ? [] : [{ code: 'VALUES_NOT_KEPT', message, column: name }],
  )
  expect(await isTaken(one)).toBe(true)
})

/** Runs statements, and returns the first value of the last as text. */
type Runner = (statements: readonly string[]) => Promise<string | null>

function compareOn(dialect: DialectName, asText: (column: string) => string, runner: Runner): void {
  const cases = GOOD_EDITS.filter((one) => one.dialect === dialect && one.value !== undefined)
  test.each(cases.map((one) => [title(one), one] as const))('%s', async (_, one) => {
    const { code, schema } = await stage(one)
    const name = modelOf(schema).columns[1]?.name ?? ''
    const temporary = dialect === 'duckdb' ? 'temp' : 'temporary'
    const staged = await runner([
      'drop table if exists jinja_relation',
      `create ${temporary} table jinja_relation (order_key bigint, ${one.column.name} ${one.column.type}, tax bigint, cust_nm varchar(80))`,
      `insert into jinja_relation values (1, ${one.value}, 2, 'Ada')`,
      `select ${asText(name)} from (${renderJinja(code)}) as staged`,
    ])
    expect(plain(staged)).toBe(plain(one.gives ?? null))
  })
}

/** Numbers without trailing zeros, and moments without those of their fraction. */
function plain(text: string | null): string | null {
  if (text === null || text === 'null') return null
  if (/^-?\d+\.\d+$/.test(text)) return text.replace(/\.?0+$/, '')
  return text.replace(/(:\d\d)\.0+/, '$1')
}

describe('on DuckDB', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run("set timezone = 'UTC'")
  compareOn(
    'duckdb',
    (name) => `cast(${name} as varchar)`,
    async (statements) => {
      let value: unknown
      for (const statement of statements) {
        value = (await connection.runAndReadAll(statement)).getRowsJson()[0]?.[0]
      }
      return value as string | null
    },
  )
})

const postgres = await postgresServer()

describeWithServer('on PostgreSQL', postgres, () => {
  let opened: Promise<pg.Client> | undefined
  afterAll(async () => (await opened)?.end())
  compareOn(
    'postgres',
    (name) => `cast(${name} as text)`,
    async (statements) => {
      const client = await (opened ??= new pg.Client({
        connectionString: postgres.url,
        options: '-c timezone=UTC',
      }).connect())
      let value: unknown
      for (const statement of statements) {
        const { rows } = await client.query<Record<string, unknown>>(statement)
        value = Object.values(rows[0] ?? {})[0]
      }
      return value as string | null
    },
  )
})

const maria = await mysqlServer()

describeWithServer('on MariaDB', maria, () => {
  let opened: Promise<mysql.Connection> | undefined
  afterAll(async () => (await opened)?.end())
  compareOn(
    'mysql',
    (name) => `cast(${name} as char)`,
    async (statements) => {
      const connection = await (opened ??= mysql.createConnection({ uri: maria.url, connectTimeout: 60_000 }))
      let value: unknown
      for (const statement of statements) {
        const [rows] = await connection.query({ sql: statement, rowsAsArray: true })
        value = Array.isArray(rows) ? (rows[0] as readonly unknown[] | undefined)?.[0] : undefined
      }
      return value as string | null
    },
  )
})

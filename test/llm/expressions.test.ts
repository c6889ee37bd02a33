// Expressions of a model, end to end: the staged value is the value that the expression has by itself.
import type { DialectName } from '@stagecraft/spec'
import { DuckDBInstance } from '@duckdb/node-api'
import mysql from 'mysql2/promise'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { renderJinja } from '../../packages/core/src/verify/sql-parser.ts'
import { describeWithServer, mysqlServer, postgresServer } from '../servers.ts'
import { GOOD_EXPRESSIONS, HOSTILE_EXPRESSIONS } from './corpus/expressions.ts'
import { isWhole, stageExpression as stage, textType } from './stage-expression.ts'

const dialects = Object.keys(GOOD_EXPRESSIONS) as DialectName[]
const all = dialects.flatMap((dialect) =>
  (GOOD_EXPRESSIONS[dialect] ?? []).map((good) => [dialect, good] as const),
)

test('of good expressions over eleven dialects, at most one in twenty is lost, and none is changed', async () => {
  const lost: string[] = []
  for (const [dialect, good] of all) {
    const code = await stage(dialect, good)
    if (!isWhole(code, good.expression)) lost.push(`${dialect}: ${good.expression}`)
  }
  expect(dialects).toHaveLength(11)
  expect(all.length).toBeGreaterThanOrEqual(175)
  expect(lost.length / all.length, lost.join('\n')).toBeLessThanOrEqual(0.05)
})

test.each(['postgres', 'duckdb', 'sqlite', 'snowflake', 'mysql'] as const)(
  'in %s, no expression that loses its column comes through',
  async (dialect) => {
    const type = textType(dialect)
    const plain = await stage(dialect, { type, expression: '', gives: 'string', value: '' })
    const through: string[] = []
    for (const expression of HOSTILE_EXPRESSIONS) {
      for (const gives of ['string', 'boolean', 'timestamp_ntz', 'date', 'integer'] as const) {
        const code = await stage(dialect, { type, expression, gives, value: '' })
        if (code !== plain) through.push(`${expression} (${gives})`)
      }
    }
    expect(through).toEqual([])
  },
)

/** Runs statements, and gives the first value of the last. */
type Runner = (statements: readonly string[]) => Promise<unknown>

function compareOn(dialect: DialectName, runner: Runner): void {
  test.each((GOOD_EXPRESSIONS[dialect] ?? []).map((good) => [good.expression, good] as const))(
    '%s',
    async (_, good) => {
      const code = await stage(dialect, good)
      if (!isWhole(code, good.expression)) return // counted above
      const temporary = dialect === 'duckdb' || dialect === 'sqlite' ? 'temp' : 'temporary'
      const setUp = [
        'drop table if exists jinja_relation',
        `create ${temporary} table jinja_relation (c ${good.type}, d varchar(50))`,
        `insert into jinja_relation values (${good.value}, 'other')`,
      ]
      const raw = await runner([...setUp, `select ${good.expression} from jinja_relation`])
      const staged = await runner([renderJinja(code)])
      expect(staged).toEqual(raw)
      if (good.value !== 'null') expect(raw).not.toBeNull()
    },
  )
}

describe('on DuckDB', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  compareOn('duckdb', async (statements) => {
    let value: unknown
    for (const statement of statements) {
      const reader = await connection.runAndReadAll(statement)
      value = reader.getRowsJson()[0]?.[0]
    }
    return value
  })
})

describe('on SQLite', () => {
  const database = new DatabaseSync(':memory:')
  compareOn('sqlite', (statements) => {
    let value: unknown
    for (const statement of statements) value = Object.values(database.prepare(statement).all()[0] ?? {})[0]
    return Promise.resolve(value)
  })
})

const postgres = await postgresServer()

describeWithServer('on PostgreSQL', postgres, () => {
  let opened: Promise<pg.Client> | undefined
  afterAll(async () => (await opened)?.end())
  compareOn('postgres', async (statements) => {
    // at the first test, since the server waits a minute for a greeting, and grammars may load for longer
    const client = await (opened ??= new pg.Client({ connectionString: postgres.url }).connect())
    let value: unknown
    for (const statement of statements) {
      const { rows } = await client.query<Record<string, unknown>>(statement)
      value = Object.values(rows[0] ?? {})[0]
    }
    return value
  })
})

const maria = await mysqlServer()

describeWithServer('on MariaDB', maria, () => {
  let opened: Promise<mysql.Connection> | undefined
  afterAll(async () => (await opened)?.end())
  compareOn('mysql', async (statements) => {
    // at the first test, since the server waits ten seconds for a greeting, and grammars load for longer
    const connection = await (opened ??= mysql.createConnection({ uri: maria.url, connectTimeout: 60_000 }))
    let value: unknown
    for (const statement of statements) {
      const [rows] = await connection.query({ sql: statement, rowsAsArray: true })
      value = Array.isArray(rows) ? (rows[0] as readonly unknown[] | undefined)?.[0] : undefined
    }
    return value
  })
})

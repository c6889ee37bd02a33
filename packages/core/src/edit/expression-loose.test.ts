import { DatabaseSync } from 'node:sqlite'
import { DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'
import { expect, onTestFinished, test } from 'vitest'
import { flowFault } from './expression-flow.ts'
import { loadExpressionGate } from './expression-gate.ts'
import type { Loss } from './expression-traits.ts'
import type { ExpressionColumn } from './expression-vocabulary.ts'

const COLUMNS: readonly ExpressionColumn[] = [
  { name: 'c', family: 'string' },
  { name: 'n', family: 'integer' },
]

const gates = {
  mysql: await loadExpressionGate(DIALECTS.mysql),
  postgres: await loadExpressionGate(DIALECTS.postgres),
  sqlite: await loadExpressionGate(DIALECTS.sqlite),
} satisfies Partial<Record<DialectName, unknown>>

function read(dialect: keyof typeof gates, expression: string) {
  const found = gates[dialect](expression, COLUMNS)
  if (typeof found === 'string') throw new Error(found)
  return found
}

/** What SQLite makes of an expression over the text `abc`. */
function valueOf(expression: string): unknown {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  database.exec("create table t (c text, n integer); insert into t values ('abc', 7)")
  return database.prepare(`select ${expression} as v from t`).get()?.['v']
}

test.each<[string, Loss, unknown]>([
  ['c + 0', 'zeros', 0],
  ['-c', 'zeros', 0],
  ['n * c', 'zeros', 0],
  ['abs(c)', 'zeros', 0],
  ['round(c, 2)', 'zeros', 0],
  ['cast(c as integer)', 'zeros', 0],
  ['cast(c as real)', 'zeros', 0],
  ['not c', 'zeros', 1],
  ['iif(c, 1, 2)', 'zeros', 2],
  ['case when c then 1 else 2 end', 'zeros', 2],
  ['substr(c, 1, 2) + 0', 'zeros', 0],
  ['date(c)', 'nulls', null],
  ['datetime(c)', 'nulls', null],
])('SQLite silently converts invalid text to a number or null: %s', (expression, loss, value) => {
  expect(Number(valueOf(expression) ?? Number.NaN)).toEqual(value === null ? Number.NaN : value)
  expect(read('sqlite', expression).loose).toContain(loss)
})

test.each<[keyof typeof gates, string]>([
  ['sqlite', 'n / 100.0'],
  ['sqlite', "c || '1'"],
  ['sqlite', "nullif(trim(c), '')"],
  ['sqlite', "c = 'abc'"],
  ['sqlite', "c in ('a', 'b')"],
  ['sqlite', 'c is null'],
  ['sqlite', 'length(c) + 1'],
  ['mysql', "concat(c, '1')"],
  ['mysql', 'n / 100'],
  ['mysql', 'from_unixtime(n)'],
  ['postgres', 'cast(c as integer)'],
])(
  'loses nothing if no text is read as a number, or the engine raises an error: %s, %s',
  (dialect, expression) => {
    expect(read(dialect, expression).loose).toEqual([])
  },
)

test.each<[string, readonly Loss[]]>([
  ['c * 1', ['zeros']],
  ['cast(c as decimal(10, 2))', ['zeros']],
  ['from_unixtime(c)', ['zeros']],
  ['c > 5', ['zeros']],
  ['c + interval 1 day', ['nulls']],
  ['cast(c as date)', ['nulls']],
])('MySQL converts texts silently too: %s', (expression, losses) => {
  expect(read('mysql', expression).loose).toEqual(losses)
})

test('two pipes join texts, and are refused if they mean or', () => {
  expect(read('sqlite', "c || 'x'").family).toBe('string')
  expect(gates.mysql("c || 'x'", COLUMNS)).toContain('concat()')
  expect(gates.mysql("concat(c, 'x')", COLUMNS)).toMatchObject({ family: 'string' })
})

test.each([
  ['n', 'power(n, 0)'],
  ['n', 'power(1, n)'],
  ['n', 'power(0, n)'],
  ['c', 'btrim(c, c)'],
  ['c', 'left(c, 1 - 1)'],
])('refuses a %s that %s makes equal in all rows', (own, expression) => {
  expect(flowFault(read('postgres', expression).tree, own)).toContain('keeps the value')
})

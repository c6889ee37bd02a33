import type { ColumnEdit, TestProposal } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { checkTests, plannedTest } from './check-tests.ts'
import { about, ORDERS, proposal, subjectOf } from './testing/subject.ts'

const subject = subjectOf()

function stagedAt(ordinal: number) {
  const staged = subject.columns.find((column) => column.ordinal === ordinal)
  if (!staged) throw new Error('there is no such column')
  return staged
}

function faults(ordinal: number, tests: TestProposal[], over: Partial<ColumnEdit> = {}): readonly string[] {
  return checkTests(about(ordinal, { tests, ...over }), stagedAt(ordinal), subject).map(
    ({ expected }) => expected,
  )
}

const values = (...list: string[]) => proposal('accepted_values', { values: list })
const parent = (table: string | null, column: string | null) => proposal('relationships', { table, column })

test.each<readonly [string, number, TestProposal]>([
  ['not_null', 6, proposal('not_null')],
  ['unique on a text', 3, proposal('unique')],
  ['unique on the key', 1, proposal('unique')],
  ['a list of texts', 3, values('a', "b'c", '{d}')],
  ['a list of numbers', 4, values('0', '-1', '12')],
  ['a parent of the run', 4, parent('customers', 'id')],
])('takes %s', (_, ordinal, test) => {
  expect(faults(ordinal, [test])).toEqual([])
})

test.each<readonly [string, number, TestProposal]>([
  ['unique on a reference', 2, proposal('unique')],
  ['unique on a time', 6, proposal('unique')],
  ['values of a time', 6, values('a')],
  ['no values', 3, values()],
  ['51 values', 3, values(...Array.from({ length: 51 }, (_, index) => `v${index}`))],
  ['a value twice', 3, values('a', 'a')],
  ['a number with zeros before it', 4, values('01')],
  ['no number', 4, values('1e3')],
  ['Jinja', 3, values('{{ a }}')],
  ['a call that dbt runs', 3, values('env_var("A")')],
  ['a long value', 3, values('x'.repeat(101))],
  ['no parent', 4, parent(null, null)],
  ['an unknown parent', 4, parent('nobody', 'id')],
  ['an unknown column of a parent', 4, parent('customers', 'nothing')],
  ['itself as a parent', 4, parent('orders', 'AMOUNT')],
  ['a parent beside the declared one', 2, parent('customers', 'email')],
  ['a parent of a time', 6, parent('customers', 'id')],
])('refuses %s', (_, ordinal, test) => {
  expect(faults(ordinal, [test])).toHaveLength(1)
})

test.each([
  ['no column whose name dbt would run', '{{ env_var("A") }}', [{ code: 'ILLEGAL_TEST' }]],
  ['a column whose name is a call, since the reference is quoted', 'env_var("A")', []],
])('refers to %s', (_, name, violations) => {
  const tables = [ORDERS, { name: 'parents', columns: [{ name, type: 'bigint' }] }]
  const kept = subjectOf(tables, { config: { naming: { columns: 'keep' } } })
  const staged = kept.columns.find((column) => column.name === 'amount')
  if (!staged) throw new Error('there is no such column')
  const tests = [parent('parents', name)]
  expect(checkTests(about(4, { tests }), staged, kept)).toMatchObject(violations)
})

test('accepts each test once, and only not_null together with an operation', () => {
  expect(faults(3, [proposal('not_null'), proposal('not_null')])).toEqual(['each test once'])
  expect(faults(3, [proposal('not_null'), values('a')], { operation: 'date' })).toEqual([
    'accepted_values: none together with an operation',
  ])
  expect(faults(4, [values('1')], { operation: 'integer' })).toEqual([])
})

test('plans values as the macro of dbt needs them, and every test as a warning', () => {
  expect(plannedTest(values("it's"), stagedAt(3), subject)).toEqual({
    name: 'accepted_values',
    arguments: { values: ["it''s"] },
    severity: 'warn',
    evidence: 'model',
  })
  expect(plannedTest(values('1', '2'), stagedAt(4), subject).arguments).toEqual({
    values: [1, 2],
    quote: false,
  })
})

test('leaves the names of a parent for planning', () => {
  expect(plannedTest(parent('customers', 'id'), stagedAt(4), subject)).toMatchObject({
    arguments: {},
    parent: { table: { schema: 'shop', table: 'customers' }, column: 'id' },
  })
})

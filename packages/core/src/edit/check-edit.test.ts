import { expect, test } from 'vitest'
import { acceptEdit, checkEdit } from './check-edit.ts'
import { about, CUSTOMERS, inputOf, proposal, subjectOf } from './testing/subject.ts'

test('reports all violations at once, with their places', () => {
  const columns = [
    about(3, { name: 'Remark', description: '<b>', operation: 'cents', tests: [proposal('relationships')] }),
    about(4),
    about(4, { name: 'x' }),
    about(9),
  ]
  expect(checkEdit({ description: 'Uniquely so.\n', columns }, inputOf())).toMatchObject([
    { code: 'REPEATED_ORDINAL', ordinal: 4 },
    { code: 'UNKNOWN_ORDINAL' },
    { code: 'ILLEGAL_DESCRIPTION' },
    { code: 'ILLEGAL_NAME', ordinal: 3 },
    { code: 'ILLEGAL_DESCRIPTION', ordinal: 3 },
    { code: 'ILLEGAL_OPERATION', ordinal: 3 },
    { code: 'ILLEGAL_TEST', ordinal: 3 },
  ])
})

test('limits the number of violations', () => {
  const columns = Array.from({ length: 1000 }, (_, index) => about(index + 100))
  expect(checkEdit({ description: null, columns }, inputOf())).toHaveLength(100)
})

test('accepts only the columns that were asked about', () => {
  const input = inputOf()
  const asked = input.asked.filter(({ ordinal }) => ordinal === 4)
  expect(checkEdit({ description: null, columns: [about(3)] }, { ...input, asked })).toMatchObject([
    { code: 'UNKNOWN_ORDINAL' },
  ])
})

test('a claim needs a key', () => {
  const claim = 'Primary key.'
  const { primaryKey: _, ...undeclared } = CUSTOMERS
  const edit = { description: claim, columns: [about(1, { description: claim })] }
  const other = { description: null, columns: [about(2, { description: claim })] }
  expect(checkEdit(edit, inputOf(subjectOf([CUSTOMERS])))).toEqual([])
  expect(checkEdit(edit, inputOf(subjectOf([undeclared])))).toMatchObject([{ code: 'UNPROVEN_CLAIM' }])
  expect(checkEdit(other, inputOf(subjectOf([CUSTOMERS])))).toMatchObject([
    { code: 'UNPROVEN_CLAIM', ordinal: 2 },
  ])
})

test('accepts edits by ordinal, with tests in the form of the plan', () => {
  const edit = { description: 'Orders.', columns: [about(3, { tests: [proposal('not_null')] })] }
  const { columns, description } = acceptEdit(edit, { subject: subjectOf(), gate: undefined })
  expect(description).toBe('Orders.')
  expect([...columns.keys()]).toEqual([3])
  expect(columns.get(3)?.tests).toEqual([
    { name: 'not_null', arguments: {}, severity: 'warn', evidence: 'model' },
  ])
})

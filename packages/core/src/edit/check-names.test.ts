import type { ColumnEdit } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { checkEdit } from './check-edit.ts'
import { about, CUSTOMERS, inputOf, ORDERS, subjectOf } from './testing/subject.ts'

function faults(columns: readonly ColumnEdit[], input = inputOf()) {
  return checkEdit({ description: null, columns }, input).map(({ code, ordinal }) => `${code} ${ordinal}`)
}

test('accepts a plain name, and the name that the rules gave', () => {
  expect(faults([about(3, { name: 'remark' }), about(4, { name: 'amount' })])).toEqual([])
})

test.each(['Remark', 'a b', '1a', '_a', 'a"', '', 'x'.repeat(64)])('refuses the name %.20j', (name) => {
  expect(faults([about(3, { name })])).toEqual(['ILLEGAL_NAME 3'])
})

test('refuses reserved words of the dialect', () => {
  expect(faults([about(3, { name: 'user' })])).toEqual(['RESERVED_NAME 3'])
  expect(faults([about(3, { name: 'user' })], inputOf(subjectOf([ORDERS], { dialect: 'bigquery' })))).toEqual(
    ['FOREIGN_NAME 3'],
  )
})

test('names the limit of the warehouse, or our own', () => {
  const expected = (dialect: 'duckdb' | 'mysql') =>
    checkEdit(
      { description: null, columns: [about(3, { name: '' })] },
      inputOf(subjectOf([ORDERS], { dialect })),
    )[0]?.expected
  expect(expected('mysql')).toBe('at most 64 lower case letters, digits and underscores, a letter first')
  expect(expected('duckdb')).toContain('at most 128')
})

test('refuses a name that another column has, had, or will get', () => {
  expect(faults([about(3, { name: 'order_id' })])).toEqual(['NAME_TAKEN 3'])
  expect(faults([about(3, { name: 'seen' })])).toEqual(['NAME_TAKEN 3'])
  expect(faults([about(3, { name: 'amount' }), about(4, { name: 'note' })])).toEqual([
    'NAME_TAKEN 3',
    'NAME_TAKEN 4',
  ])
  expect(faults([about(3, { name: 'x' }), about(4, { name: 'x' })])).toEqual(['NAME_TAKEN 3', 'NAME_TAKEN 4'])
  expect(
    faults([about(3, { name: 'x' })], inputOf(undefined, { before: [about(4, { name: 'x' })] })),
  ).toEqual(['NAME_TAKEN 3'])
})

test("the user's name stays", () => {
  const config = { sources: { shop: { tables: { customers: { columns: { email: { name: 'mail' } } } } } } }
  const subject = subjectOf([CUSTOMERS], { config })
  expect(faults([about(1, { name: 'mail' })], inputOf(subject))).toEqual(['NAME_TAKEN 1'])
})

test('refuses a name if names were not sent', () => {
  expect(faults([about(3, { name: 'remark' })], inputOf(undefined, { redactNames: true }))).toEqual([
    'NAME_NOT_ASKED 3',
  ])
})

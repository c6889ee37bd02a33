import type { ColumnEdit } from '@stagecraft/spec'

import { expect, test } from 'vitest'
import { checkConversion } from './check-conversion.ts'
import { about, ORDERS, subjectOf } from './testing/subject.ts'

function expected(
  ordinal: number,
  operation: ColumnEdit['operation'],
  subject = subjectOf(),
): string | undefined {
  const staged = subject.columns.find((column) => column.ordinal === ordinal)
  if (!staged) throw new Error('there is no such column')
  return checkConversion(about(ordinal, { operation }), staged, subject)?.expected
}

test.each<readonly [number, ColumnEdit['operation']]>([
  [3, null],
  [3, 'keep'],
  [3, 'date'],
  [4, 'cents'],
  [4, 'integer'],
  [1, 'keep'],
])('column %i may be %s', (ordinal, operation) => {
  expect(expected(ordinal, operation)).toBeUndefined()
})

test.each<readonly [number, ColumnEdit['operation'], string]>([
  [1, 'text', 'null for a column of a key'],
  [2, 'text', 'null for a column of a key'],
  [5, 'text', 'null for a column with a closed list of values'],
  [3, 'cents', 'an operation for string columns of postgres, or null'],
  [6, 'cents', 'an operation for timestamp_ntz columns of postgres, or null'],
  [3, 'boolean', 'boolean only if the name or the values of the column mean yes or no'],
])('column %i may not be %s', (ordinal, operation, reason) => {
  expect(expected(ordinal, operation)).toBe(reason)
})

test('what the rules convert stays converted', () => {
  const flag = {
    ...ORDERS,
    columns: [{ name: 'seen', type: 'timestamp with time zone' }],
    primaryKey: undefined,
  }
  const { primaryKey: _, foreignKeys: __, ...table } = flag
  expect(expected(1, 'text', subjectOf([table]))).toBe('null for a column that the rules convert')
})

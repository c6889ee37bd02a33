import { expect, test } from 'vitest'
import { decideLlm } from './settings.ts'
import { createTask, editableColumns } from './task.ts'
import { ORDERS, subjectOf } from './testing/subject.ts'

const { foreignKeys: _, primaryKey: __, ...bare } = ORDERS

function typesSent(types: readonly string[], redactNames: boolean): readonly string[] {
  const columns = types.map((type, index) => ({ name: `a${index}`, type }))
  const subject = subjectOf([{ ...bare, columns }])
  return createTask(subject, editableColumns(subject), decideLlm({ redactNames })).columns.map(
    ({ type }) => type,
  )
}

test('sends types without the labels of enums', () => {
  const types = ["enum('a','it''s')", String.raw`Enum8('a\'' = 1)`, "enum('a", 'numeric(18,2)']
  expect(typesSent(types, false)).toEqual(['enum(…,…)', 'Enum8(… = 1)', 'enum(…', 'numeric(18,2)'])
})

test('sends families instead of types if names are withheld, because types may contain names', () => {
  expect(typesSent(['numeric(18,2)', 'shop.ssn', '_ssn'], true)).toEqual(['decimal', 'other', 'array'])
})

test("a loader's columns are not edited", () => {
  const columns = [...bare.columns, { name: '_fivetran_synced', type: 'timestamp' }]
  expect(editableColumns(subjectOf([{ ...bare, columns }])).map(({ ordinal }) => ordinal)).toEqual([
    1, 2, 3, 4, 5, 6,
  ])
})

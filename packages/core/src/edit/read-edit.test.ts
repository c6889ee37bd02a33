import { expect, test } from 'vitest'
import { readEdit } from './read-edit.ts'
import { about } from './testing/subject.ts'

const plain = { allowExpressions: false }

test('reads an edit', () => {
  const edit = { description: null, columns: [about(1, { name: 'a' })] }
  expect(readEdit(JSON.stringify(edit), plain)).toEqual(edit)
})

test.each(['', 'a', '{"description":null,"columns":[', '```json\n{}\n```', '{} {}', '{"a":NaN}'])(
  'repairs nothing: %j is no JSON',
  (text) => {
    expect(readEdit(text, plain)).toEqual([
      { code: 'NOT_JSON', expected: 'one JSON object and nothing else' },
    ])
  },
)

test('tells places by the keys of the schema, and never a key of the model', () => {
  const text =
    '{"description":null,"columns":[{"ordinal":"secret","name":null,"secret":1,"description":null,"operation":"secret","tests":[]}]}'
  const faults = readEdit(text, plain)
  expect(faults).toMatchObject([
    { code: 'WRONG_SHAPE', expected: 'a number at .columns[0].ordinal' },
    { code: 'WRONG_SHAPE', expected: expect.stringMatching(/at \.columns\[0\]\.operation$/) as string },
    { code: 'WRONG_SHAPE', expected: expect.stringMatching(/at \.columns\[0\]\.\?$/) as string },
  ])
  expect(JSON.stringify(faults)).not.toContain('secret')
})

test('tells 20 faults of 1,000', () => {
  expect(readEdit(JSON.stringify({ description: null, columns: Array(1000).fill(1) }), plain)).toHaveLength(
    20,
  )
})

test('takes an expression only where it is allowed', () => {
  const text = JSON.stringify({ description: null, columns: [{ ...about(1), expression: null }] })
  expect(readEdit(text, plain)).toMatchObject([{ code: 'WRONG_SHAPE' }])
  expect(readEdit(text, { allowExpressions: true })).toHaveProperty('columns')
})

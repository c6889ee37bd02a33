import { expect, test } from 'vitest'
import { z } from '../zod.ts'
import { idField, timeField } from '../api/fields.ts'
import { validate } from './validate.ts'

test('messages name the expectation once, also if it comes from the schema', () => {
  const schema = z.object({ archive: z.string().regex(/^[A-Z]+$/, 'expected base64') })
  expect(() => validate(schema, { archive: 'a b' }, 'analysis')).toThrow(/archive: expected base64, got/)
})

test.each([
  [z.string().max(200), 'x'.repeat(201), 'text of at most 200 characters'],
  [z.string().min(20), 'x', 'text of at least 20 characters'],
  [z.string().min(1), '', 'text that is not empty'],
  [z.array(z.string()).max(1), ['a', 'b'], 'a list of at most 1 item'],
  [z.int().min(1).max(100), 0, 'a number of at least 1'],
  [z.int().positive(), 0, 'a number greater than 0'],
  [z.number().lt(5), 5, 'a number less than 5'],
  [z.int().max(100), 1e308, 'a number of at most 100'],
  [z.int(), 1.5, 'a whole number'],
  [timeField, 'soon', 'a time such as 2026-01-31T12:00:00Z'],
  [idField('unit'), 'x', 'an id such as unit_…'],
])('words the limits of schema %#', (schema, value, expected) => {
  const given = typeof value === 'string' && value.length > 60 ? /got "x+\.\.\./ : /got /
  const run = () => validate(z.object({ member: schema }), { member: value }, 'the request')
  expect(run).toThrow(`the request is not valid: member: expected ${expected}, got `)
  expect(run).toThrow(given)
})

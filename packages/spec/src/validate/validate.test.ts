import { expect, test } from 'vitest'
import { z } from '../zod.ts'
import { validate } from './validate.ts'

test('messages name the expectation once, also if it comes from the schema', () => {
  const schema = z.object({ archive: z.string().regex(/^[A-Z]+$/, 'expected base64') })
  expect(() => validate(schema, { archive: 'a b' }, 'analysis')).toThrow(/archive: expected base64, got/)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanData, cleanText, TEXT_LIMIT } from './clean-text.ts'

test('masks secrets, and shows what nobody would see', () => {
  expect(cleanText('postgres://me:hunter2@host/db')).toBe('postgres://***@host/db')
  expect(cleanText('a\u202Eb\u{E0041}')).toBe(String.raw`a\u202eb\U000e0041`)
  expect(cleanText('one\r\n\ttwo\u0007')).toBe('one two')
})

test('cuts a long text, and hides a secret at the cut', () => {
  expect(cleanText('x'.repeat(1000))).toHaveLength(TEXT_LIMIT)
  expect(cleanText(`${'x '.repeat(145)}postgres://me:hunter2hunter2@host/db`)).not.toContain('hunter')
})

test('leaves no control or invisible character in any data', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      const { inner } = cleanData({ inner: [text, 1, null] })
      expect(inner[0]).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u)
      expect(String(inner[0]).isWellFormed()).toBe(true)
      expect(String(inner[0]).length).toBeLessThanOrEqual(TEXT_LIMIT)
      expect(inner.slice(1)).toEqual([1, null])
    }),
  )
})

import { expect, test } from 'vitest'
import { cleanText, hasInvisible } from './clean-text.ts'

test.each([
  '\0',
  '\u001B',
  '\u0085',
  '\u00AD',
  '\u034F',
  '\u200B',
  '\u202E',
  '\u2028',
  '\u2066',
  '\u206A',
  '\u2800',
  '\u3164',
  '\uFE0F',
  '\uFEFF',
  '\uFDD0',
  '\uE000',
  '\uD800',
  '\u{E0041}',
  '\u{E0101}',
])('finds %j, which is invisible', (character) => {
  expect(hasInvisible(`a${character}b`)).toBe(true)
  expect(cleanText(`a${character}b`, 10)).toBe('a b')
})

test.each(['größe', '名前', 'naïve e\u0301', '🚀', 'عربي', 'a\u00A0b', '€ 5–10 “x”'])('keeps %s', (text) => {
  expect(hasInvisible(text)).toBe(false)
})

test('cuts between characters, not within them', () => {
  expect(cleanText('🚀🚀🚀', 3)).toBe('🚀🚀🚀')
  expect(cleanText('🚀🚀🚀🚀', 3)).toBe('🚀🚀…')
})

test('puts everything on one line', () => {
  expect(cleanText(' a\r\n\tb  c ', 10)).toBe('a b c')
})

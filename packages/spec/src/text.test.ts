import { expect, test } from 'vitest'
import { escapeForTerminal, escapeInvisible, hasInvisible, shorten } from './text.ts'

const BIDI = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
const WIDTHLESS = [
  0x00ad, 0x034f, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x2064, 0x3164, 0xfe0f, 0xfeff,
]
const OTHERS = [0x2028, 0x2029, 0xfff9, 0xffa0, 0x1d173, 0xe0001, 0xe0061, 0xe01ef]

test.each(
  [...BIDI, ...WIDTHLESS, ...OTHERS].map((point) => [point.toString(16), String.fromCodePoint(point)]),
)('finds U+%s', (digits, character) => {
  const text = `a${character}b`
  expect(hasInvisible(text)).toBe(true)
  const escape = digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
  expect(escapeInvisible(text)).toBe(`a${escape}b`)
})

test.each(['plain', 'é ü 日本語 한국어', 'مرحبا ٠١٢', 'שלום', '\u0600 and \u06dd', '❤️ 👩‍💻 👍🏽 👨‍👩‍👧', 'a\tb\nc'])(
  'does not change %j',
  (text) => {
    expect([hasInvisible(text), escapeInvisible(text)]).toEqual([false, text])
  },
)

test.each([
  ['\u001b[31mred\u001b[0m', String.raw`\u001b[31mred\u001b[0m`],
  ['a\u0007\u0000\u007f\u009b2Jb', String.raw`a\u0007\u0000\u007f\u009b2Jb`],
  ['over\rwritten', String.raw`over\u000dwritten`],
  ['turned \u202e', String.raw`turned \u202e`],
])('shows the control characters of %j to terminals', (text, shown) => {
  expect(escapeForTerminal(text)).toBe(shown)
})

test('does not change tabs and line ends', () => {
  expect(escapeForTerminal('a\tb\r\nc\n')).toBe('a\tb\r\nc\n')
})

test('a long text is shortened for messages, without half of a character', () => {
  expect(shorten('a'.repeat(100))).toBe('a'.repeat(100))
  expect(shorten('a'.repeat(101))).toBe(`${'a'.repeat(100)}…`)
  expect(shorten('a'.repeat(99) + '😀😀')).toBe(`${'a'.repeat(99)}�…`)
})

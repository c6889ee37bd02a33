import { expect, test } from 'vitest'
import { escapeInvisible, hasInvisible } from './invisible.ts'

const BIDI = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
const WIDTHLESS = [
  0x00ad, 0x034f, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x2060, 0x2064, 0x3164, 0xfe0f, 0xfeff,
]
const OTHERS = [0x2028, 0x2029, 0xfff9, 0xffa0, 0x1d173, 0xe0001, 0xe0061, 0xe01ef]

test.each(
  [...BIDI, ...WIDTHLESS, ...OTHERS].map((point) => [point.toString(16), String.fromCodePoint(point)]),
)('sees U+%s', (digits, character) => {
  const text = `a${character}b`
  expect(hasInvisible(text)).toBe(true)
  const escape = digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
  expect(escapeInvisible(text)).toBe(`a${escape}b`)
})

test.each(['plain', 'é ü 日本語 한국어', 'مرحبا ٠١٢', 'שלום', '\u0600 and \u06dd', '❤️ 👩‍💻 👍🏽 👨‍👩‍👧', 'a\tb\nc'])(
  'leaves %j as it is',
  (text) => {
    expect([hasInvisible(text), escapeInvisible(text)]).toEqual([false, text])
  },
)

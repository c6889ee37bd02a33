import { expect, test } from 'vitest'
import { checkClaim, checkDescription } from './check-texts.ts'

const NOTHING = { isKey: false, mayBeKey: false, isIdentifier: false, said: 'orders remark', parents: [] }

test.each(['What it is.', 'Below 5 < 6, in [brackets] (or not).', "It's 100 %: a, b & c.", 'x'.repeat(300)])(
  'takes %.40s',
  (text) => {
    expect(checkDescription(text)).toBeUndefined()
  },
)

test.each([
  '',
  ' a',
  'a ',
  'a\nb',
  '{{ a',
  '{{ a() }}',
  '{% a',
  '{# a',
  'a #}',
  '<b>',
  '</b',
  '<!-- a',
  '[a](b)',
  '[a][b]',
  ']]>',
  'ftp://a',
  'WWW.a',
  'mailto:a',
  'x'.repeat(301),
])('refuses %.40j', (text) => {
  expect(checkDescription(text)?.code).toBe('ILLEGAL_DESCRIPTION')
})

test.each([
  'Primary key.',
  'The surrogate-key.',
  'foreign  keys',
  'UNIQUE IDENTIFIER',
  'Uniquely names it.',
  'It is unique.',
  'Never duplicated.',
])('%s needs a key', (text) => {
  expect(checkClaim(text, NOTHING)?.code).toBe('UNPROVEN_CLAIM')
  expect(checkClaim(text, { ...NOTHING, isKey: true })).toBeUndefined()
})

test.each(['Number of unique visitors.', 'Key of the piano.', 'Identifier at the provider.'])(
  '%s makes no claim',
  (text) => {
    expect(checkClaim(text, NOTHING)).toBeUndefined()
  },
)

test('a fact about the life of a column needs a word of its name or comment', () => {
  const text = 'When the product was discontinued.'
  expect(checkClaim(text, NOTHING)?.code).toBe('UNPROVEN_CLAIM')
  expect(checkClaim(text, { ...NOTHING, said: 'discontinued_at' })).toBeUndefined()
})

test.each([
  'References customers.id.',
  'Foreign key to customers(id).',
  'FK → shop.customers.id',
  'Same as customers.id.',
])('%s needs a declared key or a comment that says it', (text) => {
  const isNamed = { ...NOTHING, isIdentifier: true }
  expect(checkClaim(text, isNamed)?.code).toBe('UNPROVEN_CLAIM')
  expect(checkClaim(text, { ...isNamed, parents: ['customers.id'] })).toBeUndefined()
  expect(checkClaim(text, { ...isNamed, parents: ['vendors.id'] })?.code).toBe('UNPROVEN_CLAIM')
})

test('the parent that the comment names may be named', () => {
  const text = 'References customers.id.'
  expect(checkClaim(text, { ...NOTHING, said: 'fk to customers.id' })).toBeUndefined()
  expect(checkClaim('Links to Booking.com.', NOTHING)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { inlineValues, numberPlaceholders, quoteLiteral, quoteName } from './statement.ts'

const statement = {
  name: 'tables',
  text: 'select a from b where c = ? and d in (?, ?)',
  values: ['x', "y'", ''],
}

test('numbers placeholders', () => {
  expect(numberPlaceholders(statement, (position) => `$${position}`)).toBe(
    'select a from b where c = $1 and d in ($2, $3)',
  )
})

test('does not replace question marks in names', () => {
  const text = 'select "a?""?" from `b?\\`?` where c = ?'
  expect(numberPlaceholders({ name: 'x', text, values: ['v'] }, (position) => `$${position}`)).toBe(
    'select "a?""?" from `b?\\`?` where c = $1',
  )
})

test.each([
  ['snowflake', "select a from b where c = 'x' and d in ('y''', '')"],
  ['bigquery', "select a from b where c = 'x' and d in ('y\\'', '')"],
] as const)('writes values as literals of %s', (dialect, text) => {
  expect(inlineValues(statement, dialect)).toBe(text)
})

test('escapes what ends a literal or a name, even if it looks like a replacement', () => {
  expect(quoteLiteral("\\'$&", 'snowflake')).toBe("'\\\\''$&'")
  expect(quoteName('a"b', 'snowflake')).toBe('"a""b"')
  expect(quoteName('a`b', 'bigquery')).toBe('`a\\`b`')
  expect(inlineValues({ name: 'x', text: '?', values: ['$1?'] }, 'postgres')).toBe("'$1?'")
})

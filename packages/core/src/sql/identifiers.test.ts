import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { needsQuotes, printIdentifier, printLiteral, runsInTest } from './identifiers.ts'

const { bigquery, duckdb, mysql, postgres, snowflake } = DIALECTS

test('quotes only names that the dialect cannot read without quotes', () => {
  expect(printIdentifier('amount', postgres)).toBe('amount')
  expect(printIdentifier('createdAt', postgres)).toBe('"createdAt"')
  expect(printIdentifier('createdAt', duckdb)).toBe('createdAt')
  expect(printIdentifier('CREATED_AT', snowflake)).toBe('created_at')
  expect(printIdentifier('created_at', snowflake)).toBe('"created_at"')
  expect(printIdentifier('price$', postgres)).toBe('price$')
  expect(printIdentifier('price$', duckdb)).toBe('"price$"')
  expect(printIdentifier('2fa', mysql)).toBe('`2fa`')
})

test('quotes words that would silently call a function', () => {
  expect(printIdentifier('user', postgres)).toBe('"user"')
  expect(needsQuotes('current_date', bigquery)).toBe(true)
})

test('escapes quotes and Jinja inside a name', () => {
  expect(printIdentifier('say "hi"', postgres)).toBe('"say ""hi"""')
  expect(printIdentifier('a`b\\', bigquery)).toBe('`a\\`b\\\\`')
  expect(printIdentifier('{{ x }}', postgres)).toBe(`"{{ '{{' }} x }}"`)
})

test('escapes a literal as the dialect reads it', () => {
  expect(printLiteral("it's", bigquery)).toBe("'it\\'s'")
  expect(printLiteral("it's \\", postgres)).toBe("'it''s \\'")
  expect(printLiteral("it's \\", mysql)).toBe("'it''s \\\\'")
})

test.each([
  '{{ a',
  'a {% b',
  '{#',
  'a #}',
  'env_var("A")',
  ' var (1)',
  "ref('a')",
  'source("a", "b")',
  'doc("a")',
])('dbt would run %s in a test', (text) => {
  expect(runsInTest(text)).toBe(true)
})

test.each(['{a}', 'variable (1)', 'a ref("b")', 'doc', 'my_var(1)'])('dbt would not run %s', (text) => {
  expect(runsInTest(text)).toBe(false)
})

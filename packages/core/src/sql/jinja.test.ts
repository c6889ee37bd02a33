import { expect, test } from 'vitest'
import { runsInTest } from './jinja.ts'

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

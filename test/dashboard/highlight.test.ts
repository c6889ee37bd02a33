import fc from 'fast-check'
import { expect, test } from 'vitest'
import { highlight } from '../../packages/dashboard/app/parts/highlight.ts'

/** The pieces of a text that have a colour, as `look: text`. */
const colours = (text: string, path: string) =>
  highlight(text, path)
    .flat()
    .flatMap(({ look, text }) => (look === undefined ? [] : [`${look} ${text}`]))

const textOf = (text: string, path: string) =>
  highlight(text, path)
    .map((line) => line.map((piece) => piece.text).join(''))
    .join('\n')

test('SQL has its keywords, strings, numbers, comments and Jinja, and names that look like words of it have none', () => {
  const sql = `{{ config(materialized='view') }}
-- select the "rows"
select "from", \`select\`, selected.limit_1, 'it''s' as it, 1.5e3 /* a
comment */ from {{ source('shop', "orders") }} {# not 'here #}`
  expect(colours(sql, 'a.sql')).toEqual([
    'attr {{',
    'attr  config(materialized=',
    "string 'view'",
    'attr ) ',
    'attr }}',
    'comment -- select the "rows"',
    'keyword select',
    "string 'it'",
    "string 's'",
    'keyword as',
    'number 1.5e3',
    'comment /* a',
    'comment comment */',
    'keyword from',
    'attr {{',
    'attr  source(',
    "string 'shop'",
    'attr , ',
    'string "orders"',
    'attr ) ',
    'attr }}',
    "comment {# not 'here #}",
  ])
})

test('YAML has its keys, values, comments and blocks of text', () => {
  const yaml = `version: 2
models:
  - name: stg_orders # the one
    "a key": 'a: value'
    description: |
      key: no key, # no comment

      - no item
    tests: [unique, not_null, { at_least: 10 }]
    enabled: true
    https://x.test/a#b: "\\""
    - plain # text
`
  expect(colours(yaml, 'a.yml')).toEqual([
    'attr version:',
    'number 2',
    'attr models:',
    'attr - name:',
    'string stg_orders',
    'comment # the one',
    'attr "a key":',
    "string 'a: value'",
    'attr description:',
    'string |',
    'string       key: no key, # no comment',
    'string       - no item',
    'attr tests:',
    'string unique',
    'string not_null',
    'string at_least:',
    'number 10',
    'attr enabled:',
    'keyword true',
    'string https://x.test/a#b:',
    'string "\\""',
    'attr - ',
    'string plain',
    'comment # text',
  ])
})

test('another file has no colours', () => {
  expect(colours("select 'a'", 'a.md')).toEqual([])
})

const PARTS = [
  '--',
  '/*',
  '*/',
  "'",
  '"',
  '`',
  '{{',
  '}}',
  '{%',
  '%}',
  '{#',
  '#}',
  '\n',
  ': ',
  '- ',
  ' #',
  '|',
  '[',
  '}',
  '\\',
  '<script>',
  '😀',
  '\ud800',
  'select',
  '1',
]

test.each(['a.sql', 'a.yml'])('every character of %s comes out once, in its order', (path) => {
  const texts = fc
    .array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ unit: 'binary' })))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      expect(textOf(text, path)).toBe(text)
    }),
    { numRuns: 500 },
  )
})

test.each(PARTS)('a text of %j alone takes no longer than its length', (part) => {
  const long = part.repeat(60_000)
  for (const path of ['a.sql', 'a.yml']) expect(textOf(long, path) === long).toBe(true)
})

// LLM05: what a model says is text, whatever it looks like.
import type { DialectName } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { about, answer, AT, expectRefused, modelOf, run, stubborn } from './edit-runs.ts'

/** The arguments that a proposal leaves open. */
const NONE = { values: null, table: null, column: null } as const

const texts = [
  "{{ run_query('drop table md7') }}",
  '{% raw %}md7',
  'md7 {#',
  'md7 #}',
  'md7 %}',
  'md7 ]]>',
  '<script>md7()</script>',
  '<\uD800script>md7()',
  '{\uD800{ md7 }\uD800}',
  '[md7](javascript:x)',
  '![md7](x)',
  '[md7][x]',
  'see https://md7.example',
  'see www.md7.example',
  'see ftp://md7.example',
  'md7\nversion: 2',
  'md7\r',
  'md7\u2028x',
  'md7\u202Ex',
  'md7\u200Bx',
  'md7\u{E0041}',
  'md7\u{E0101}',
  'md7\u3164',
  ' md7',
  '',
  'md7'.repeat(101),
  'md7'.repeat(1_700_000),
]

test.each(texts.map((text) => [text.slice(0, 40), text]))('refuses the description %j', async (_, text) => {
  await expectRefused(answer([about(AT.note, { description: text })]), { codes: ['ILLEGAL_DESCRIPTION'] })
  await expectRefused(answer([], text), { codes: ['ILLEGAL_DESCRIPTION'] })
})

test.each([
  '&anchor *alias',
  '!!python/object:os.system x',
  '!tag',
  'a: b',
  '- item',
  '# comment',
  '%TAG',
  '---',
  '...',
  '~',
  'null',
  'no',
  '012',
  '1e3',
  '"quoted"',
  "it's",
  '`x`',
  '\\',
  '| block',
  '> fold',
  '? key',
  '@at',
  '{ {',
  'x {',
  '[x]',
  '$(x)',
  '${x}',
  'a  b',
  'ends in a colon:',
])('the description %j comes out of YAML as it went in', async (text) => {
  const { data } = await run({ backend: stubborn(answer([about(AT.note, { description: text })], text)) })
  const model = modelOf(data.schema)
  expect(model.columns.filter(({ description }) => description === text)).toHaveLength(1)
  expect(model.description).toBe(`${text} Rows that Fivetran marked as deleted are left out.`)
  expect(parse(data.schema, { version: '1.1' })).toEqual(parse(data.schema))
})

test.each(
  [
    '../../md7.sql',
    'md7"',
    'md7`',
    "md7'",
    'md7]',
    'md7 x',
    'md7--',
    'md7;',
    'md7)',
    'Md7',
    'md7\n',
    '1md7',
    'md7.x',
    'md7$',
    'mđ7',
    '{{ md7 }}',
    '',
    '_md7',
    '__proto__',
    '_fivetran_md7',
    'md7'.repeat(22),
    'md7'.repeat(100_000),
  ].map((name) => [name.slice(0, 40), name]),
)('refuses the name %j', async (_, name) => {
  await expectRefused(answer([about(AT.note, { name })]), { codes: ['ILLEGAL_NAME'] })
})

test.each(['duckdb', 'bigquery', 'clickhouse', 'trino'] as const)(
  'no name is long, though %s takes any',
  async (dialect) => {
    const text = answer([about(AT.note, { name: `md7${'x'.repeat(126)}` })])
    await expectRefused(text, { dialect, codes: ['ILLEGAL_NAME'] })
  },
)

test.each<readonly [DialectName, string]>([
  ['postgres', 'user'],
  ['snowflake', 'qualify'],
  ['bigquery', 'hash'],
  ['redshift', 'tag'],
  ['sqlserver', 'plan'],
  ['mysql', 'rank'],
  ['trino', 'current_date'],
  ['duckdb', 'select'],
  ['sqlite', 'index'],
])('in %s, refuses the reserved word %s', async (dialect, name) => {
  await expectRefused(answer([about(AT.note, { name })]), { dialect, codes: ['RESERVED_NAME'] })
})

test.each([
  "{{ env_var('md7') }}",
  '{% md7 %}',
  '{# md7',
  'md7 #}',
  'md7 }}',
  'env_var("md7")',
  ' var(run_query("md7"))',
  'ref("md7")',
  'source("md7", "x")',
  'doc("md7")',
  'md7\nx',
  'md7\u200B',
  'md7\uD800',
  `md7${'x'.repeat(98)}`,
])('refuses the value %j, which dbt would run or nobody would see', async (value) => {
  const tests = [{ ...NONE, name: 'accepted_values' as const, values: [value] }]
  await expectRefused(answer([about(AT.note, { tests })]), { codes: ['ILLEGAL_TEST'] })
})

test.each<readonly [DialectName, string]>([
  ['postgres', "it''s \\"],
  ['bigquery', "it\\'s \\\\"],
  ['snowflake', "it''s \\\\"],
])('in %s, a value with quotes stays inside its quotes', async (dialect, written) => {
  const tests = [{ ...NONE, name: 'accepted_values' as const, values: ["it's \\"] }]
  const type = dialect === 'postgres' ? 'text' : 'string'
  const tables = [{ schema: 'shop', name: 'wh7_words', columns: [{ name: 'wh7_word', type }] }]
  const { data } = await run({ dialect, tables, backend: stubborn(answer([about(1, { tests })])) })
  expect(JSON.stringify(parse(data.schema))).toContain(JSON.stringify({ values: [written] }))
})

test('nor does a value of the warehouse that dbt would run become a test, backend or none', async () => {
  const columns = [{ name: 'wh7_word', type: 'text', values: ['env_var("MD7")', 'a'] }]
  const { data } = await run({ tables: [{ schema: 'shop', name: 'wh7_words', columns }] })
  expect(data.tests).toEqual([])
  expect(data.warnings.map(({ code }) => code)).toEqual(['VALUES_NOT_TESTABLE'])
})

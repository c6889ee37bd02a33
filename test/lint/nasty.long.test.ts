// What templates and YAML may hold must neither crash lint nor make it hang.
import { applyFixes, type FormatName, FORMATS, printReport } from '@stagecraft/analysis'
import { expect, test } from 'vitest'
import { lintFiles, readFilesAsProject } from './lint-project.ts'

const MANY = 20_000

/** Pieces that are put alone, twice, and around each other. */
const PIECES = [
  '',
  ' ',
  '\n',
  '\r\n',
  '\uFEFF',
  '\u0000',
  '\uD800',
  '{{',
  '}}',
  '{%',
  '%}',
  '{#',
  '#}',
  '{{ }}',
  '{% %}',
  '{{ ref( }}',
  "{{ ref('a }}",
  "{{ ref('a' }}",
  "{{ ref('a', ) }}",
  "{{ ref(ref('a')) }}",
  "{{ ref('a')",
  "{{ source('a') }}",
  "{{ source('a', x) }}",
  "{{ source(x, 'y') }}",
  '{{ ref(*names) }}',
  "{{ ref('a') | as_native }}",
  '{{ "}}" }}',
  "{{ '{{' }}",
  '{% raw %}{{ ref("x") }}',
  '{% raw %}{{ ref("x") }}{% endraw %}',
  '{% endraw %}',
  '{% macro a(b) %}',
  '{% endmacro %}',
  '{% snapshot a %}',
  '{% set x = "%}" %}',
  "{% set x %}{{ ref('a') }}{% endset %}",
  "{% if true %}{{ ref('a') }}{% else %}{{ ref('b') }}",
  '{% docs a %}',
  '/* ',
  '*/',
  '/* /* */',
  '-- ',
  "'",
  '"',
  '`',
  '$$',
  "e'\\'",
  '[a].[b]',
  'from a.b',
  'from a . b',
  'from a.',
  'from .a',
  'from a.b.c.d.e.f',
  'from {{ x }}.a.b',
  'from "a".`b`.c',
  'from (((',
  ')))',
  'join join join',
  'from from a.b from',
  'select * from a.b, c.d',
  '-- stagecraft: ignore',
  '-- stagecraft: ignore SC1',
  '-- stagecraft: ignore SC201, SC202,',
  '{# stagecraft: ignore SC308 #}',
  '/* stagecraft: ignore SC402 why */',
  "'-- stagecraft: ignore SC402 why'",
  '数 as имя from 表.列',
  '👩‍👩‍👧 from 👩.👧',
]

const DEEP = [
  '('.repeat(MANY),
  '{{ '.repeat(MANY),
  '{{ ref('.repeat(MANY),
  "{{ ref('a') }} ".repeat(2000),
  `{{ ref(${"'a', ".repeat(MANY)}) }}`,
  `{{ ref(${' '.repeat(MANY)}`,
  `from ${'a.'.repeat(MANY)}b`,
  'from a.b '.repeat(5000),
  `${' '.repeat(MANY)}x`,
  '\n'.repeat(MANY),
  '-- stagecraft: ignore SC402 x\n'.repeat(2000),
  "'".repeat(MANY),
  '/*'.repeat(MANY),
  `{{ "${'\\'.repeat(MANY)} }}`,
  '{#'.repeat(MANY),
  '{%-'.repeat(MANY),
]

const YAML = [
  'a: [',
  '- - - -',
  '? a\n: b',
  'models: 1',
  'models: {}',
  'models: [1, null, [], {}]',
  'models: [{ name: }]',
  'models: [{ name: 1 }, { name: true }, { name: [a] }]',
  'models: [{ name: a, columns: 3, tests: x }]',
  'models: [{ name: a, columns: [{ name: b, tests: [{ c: { d: e } }, { f: }, null, 1] }] }]',
  'models: &a [{ name: x }]\nseeds: *a',
  'models: *missing',
  'models: &a [*a]',
  'models:\n  - &m { name: a, tests: [{ x: { y: 1 } }] }\n  - *m',
  'models:\n  - name: a\n    name: b',
  'sources: [{ name: s, tables: [{ name: t, identifier: "{{ x" }], schema: "{{ var(\'q\') }}" }]',
  'sources: [{ name: s, tables: t }]',
  '--- \nmodels: []\n---\nmodels: []',
  '%YAML 1.2\n---\nmodels: !!set { a }',
  'models: [{ name: "{{ doc(\'x\') }}", description: "{{ doc( }}" }]',
  'exposures: [{ name: e, depends_on: [ref(], { ref: x } }]',
  'exposures:\n  - name: e\n    depends_on:\n      - ref(\n      - source("a")\n      - ref("")',
  'models: [{ name: a, config: x, meta: { stagecraft: { ignore: [1, { rule: 2 }, { rule: SC308 }] } } }]',
  '# stagecraft: ignore SC303 x',
  '\t- a',
  '\u0000',
  `models: ${'['.repeat(500)}`,
  `models: ${'[{ name: a, columns: '.repeat(60)}`,
]

async function survives(files: Readonly<Record<string, string>>): Promise<number> {
  const report = await lintFiles(files)
  for (const format of Object.keys(FORMATS) as readonly FormatName[])
    expect(printReport(report, format, { version: '0' })).toMatch(/\n$/)
  const { files: changed } = applyFixes(await readFilesAsProject(files), report.findings, { unsafe: true })
  for (const { after, before } of changed) expect(after).not.toBe(before)
  return Object.keys(files).length
}

test('templates that nobody should write are read', async () => {
  const texts = [...PIECES, ...PIECES.map((piece) => `${piece}\n${piece}`), ...PIECES.flatMap(wrap)]
  expect(texts.length).toBeGreaterThanOrEqual(200)
  const models = texts.map((text, index) => [`models/staging/stg_m${index}.sql`, text] as const)
  expect(await survives(Object.fromEntries(models))).toBe(texts.length)
})

function wrap(piece: string): readonly string[] {
  return [
    `{{ config(x='${piece}') }} select * from a.b ${piece}`,
    `select 1 ${piece} from (select 2 from x.y ${piece})`,
  ]
}

test('templates that are long or deep take no longer than they are', async () => {
  const models = DEEP.map((text, index) => [`models/staging/stg_m${index}.sql`, text] as const)
  expect(await survives(Object.fromEntries(models))).toBe(DEEP.length)
})

test('properties that nobody should write are read', async () => {
  const files = YAML.map((text, index) => [`models/m${index}.yml`, text] as const)
  expect(await survives(Object.fromEntries(files))).toBe(YAML.length)
})

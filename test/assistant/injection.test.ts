import { RESULT_BYTES, TOOLS, type ToolResult } from '@stagecraft/assistant'
import { StagecraftError } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CARRIERS, HOSTILE, RAW, RAW_CARRIERS, hostileProject, print } from './hostile.ts'
import { memoryProposals } from './memory-proposals.ts'
import { callTool, viewOf } from './views.ts'

const QUESTIONS: readonly (readonly [tool: string, input: object])[] = [
  ['project_overview', {}],
  ['search_project', { query: 'order trusted ignore code' }],
  ['get_resource', { id: 'model.fct_orders' }],
  ['get_resource', { id: 'model.fct_orders', part: 'sql' }],
  ['get_resource', { id: 'model.fct_orders', part: 'tests' }],
  ['find_uses', { id: 'model.stg_orders' }],
  ['get_lineage', { id: 'model.stg_orders' }],
  ['get_impact', { id: 'model.stg_orders' }],
  ['check_project', {}],
  ['list_gaps', { gap: 'unused' }],
  ['list_gaps', { gap: 'undocumented' }],
  ['suggest_tests', {}],
  ['explain', { topic: 'accepted_values' }],
  ['list_sources', {}],
  ['describe_table', { table: 'shop.orders' }],
  ['compare_source', {}],
  ['get_conventions', {}],
]

/** The names of all fields of a result: none comes from the project. */
function fieldsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...fieldsOf(inner)])
}

const FIELD = /^(?:[a-zA-Z_]+|source tables|SC\d{3})$/

describe.each(Object.entries({ ...CARRIERS, ...RAW_CARRIERS }))('%s', (_, carry) => {
  test('is data in results, and changes no answer', async () => {
    const calm = await viewOf(hostileProject(carry('calm')))
    const impact = await callTool(calm, 'get_impact', { id: 'source.shop.orders' })
    for (const text of HOSTILE) {
      const view = await viewOf(hostileProject(carry(text)))
      const results = await Promise.all(QUESTIONS.map(([name, input]) => callTool(view, name, input)))
      for (const result of results) assertHarmless(result)
      const answer = await callTool(view, 'get_impact', { id: 'source.shop.orders' })
      const modelsOf = ({ items }: ToolResult): readonly string[] =>
        items.filter(({ kind }) => kind === 'model').map(({ id }) => id)
      expect({ text, models: modelsOf(answer) }).toEqual({ text, models: modelsOf(impact) })
    }
  })
})

function assertHarmless(result: ToolResult): void {
  const printed = JSON.stringify(result)
  expect(result.untrusted).toBe(true)
  expect(new TextEncoder().encode(printed).length).toBeLessThanOrEqual(RESULT_BYTES)
  expect(printed).not.toContain('hunter2')
  expect(printed).not.toMatch(/[\p{Cc}\u200b\u200c\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u)
  expect(fieldsOf(result).filter((field) => !FIELD.test(field))).toEqual([])
  for (const { file, line } of result.items) {
    expect(file).toMatch(/^(?:(?:models|seeds)\/|dbt_project\.yml$|stagecraft\.yml$)/)
    expect(line).toBeGreaterThan(0)
  }
}

test('the corpus has at least 150 cases', () => {
  expect(HOSTILE.length * Object.keys(CARRIERS).length).toBeGreaterThanOrEqual(150)
})

test.each([
  '/etc/passwd',
  '../outside',
  'models/../../outside.sql',
  String.raw`..\outside`,
  'models/%2e%2e/x',
  '~/.ssh/id_rsa',
  'profiles.yml',
  '.env',
  'target/manifest.json',
  'file:///etc/passwd',
  'https://evil.example/x',
  'models/stg_orders.sql\0.yml',
])('refuses the path %j', async (path) => {
  const view = await viewOf(hostileProject({}))
  await expect(callTool(view, 'check_project', { path })).rejects.toThrow('a file or folder that dbt reads')
  for (const [name, field] of [
    ['get_resource', 'id'],
    ['find_uses', 'id'],
    ['explain', 'topic'],
  ] as const)
    await expect(callTool(view, name, { [field]: path })).rejects.toBeInstanceOf(StagecraftError)
})

test('no tool takes an address, SQL or a place to write to', () => {
  const fields = new Set(TOOLS.flatMap(({ input }) => Object.keys(input.shape)))
  expect([...fields].toSorted()).toEqual([
    'columns',
    'cursor',
    'depth',
    'description',
    'direction',
    'edits',
    'findings',
    'gap',
    'id',
    'kinds',
    'limit',
    'minSeverity',
    'part',
    'path',
    'query',
    'rank',
    'rule',
    'source',
    'state',
    'table',
    'topic',
    'unsafe',
    'where',
  ])
})

/** Every text is proposed on in some carriers, and every carrier with some texts. */
const SHARE = 6

describe.each(Object.entries(CARRIERS).map(([name, carry], index) => [name, carry, index] as const))(
  '%s, while changes are proposed,',
  (_, carry, index) => {
    test('gets nothing into a proposal, and no other file', async () => {
      for (const text of HOSTILE.filter((__, at) => at % SHARE === index % SHARE)) {
        const files = hostileProject(carry(text))
        const view = await viewOf({ ...files, 'models/calm.yml': 'models: [{ name: stg_orders }]\n' })
        const proposals = memoryProposals()
        const edits = [{ id: 'model.stg_orders', description: 'One row per order.' }]
        const result = await callTool(view, 'propose_properties', { edits }, { proposals })
        assertHarmless({ ...result, items: [] })
        const after = 'models: [{ name: stg_orders, description: "One row per order." }]\n'
        expect(proposals.kept.flatMap((one) => one.files.map((file) => [file.path, file.after]))).toEqual([
          ['models/calm.yml', after],
        ])
      }
    })
  },
)

test('a language model that obeys a hostile text gets no more than a text into a proposal', async () => {
  const view = await viewOf(hostileProject({ 'models/calm.yml': 'models: [{ name: stg_orders }]\n' }))
  const id = 'model.stg_orders'
  for (const text of HOSTILE) {
    const proposals = memoryProposals()
    const test = { name: 'relationships', to: text.slice(0, 200), field: 'id' }
    for (const [name, call] of [
      ['propose_properties', { edits: [{ id: `${id}:order_id`, tests: [test] }] }],
      ['propose_properties', { edits: [{ id: text.slice(0, 200), description: 'Orders.' }] }],
      ['propose_fix', { findings: [text.slice(0, 100)] }],
      ['propose_model', { source: text.slice(0, 100) }],
    ] as const)
      await expect(callTool(view, name, call, { proposals })).rejects.toBeInstanceOf(StagecraftError)
    expect({ text, kept: proposals.kept }).toEqual({ text, kept: [] })
    const description = text.slice(0, 300)
    await callTool(view, 'propose_properties', { edits: [{ id, description }] }, { proposals }).catch(
      (error: unknown) => expect(error).toBeInstanceOf(StagecraftError),
    )
    // what is not refused is a string in YAML, and no code
    for (const { files } of proposals.kept) {
      expect(files.map(({ path }) => path)).toEqual(['models/calm.yml'])
      expect(parse(files[0]?.after ?? '')).toEqual({ models: [{ name: 'stg_orders', description }] })
      expect(files[0]?.after).not.toMatch(/\{\{|\{%|hunter2|evil\.example/)
    }
  }
})

test('values of rows leave only where a person allowed it', async () => {
  const observed = {
    rows: 1000,
    values: [{ column: 'id', values: ['hunter', 'gatherer'], confidence: 1 }],
    ranges: [{ column: 'id', min: 4711, max: 4712, confidence: 1 }],
  }
  const view = await viewOf(hostileProject({ 'raw-tables.json': print([{ ...RAW, observed }]) }))
  for (const [name, input] of QUESTIONS)
    expect(JSON.stringify(await callTool(view, name, input))).not.toMatch(/hunter|gatherer|471[12]/)
  const allowed = await callTool(view, 'describe_table', { table: 'shop.orders' }, { allowValues: true })
  expect(allowed.items).toMatchObject([{ values: ['hunter', 'gatherer', 'least 4711', 'greatest 4712'] }])
})

// Whatever a model says of whatever table: it is refused, or what comes out is sound.
import { DIALECTS } from '@stagecraft/core'
import {
  type ColumnEdit,
  type DialectName,
  EDIT_TESTS,
  PROPOSED_CONVERSIONS,
  type Table,
} from '@stagecraft/spec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { renderJinja } from '../../packages/core/src/verify/sql-parser.ts'
import { sqlFault } from '../oracle.ts'
import { anyComment, anyTable, AWFUL_NAMES } from '../property/arbitraries.ts'
import { about, answer, modelOf, run, stubborn } from './edit-runs.ts'

const NAMES = [
  'order_total',
  'is_active',
  'created_at',
  'source',
  'renamed',
  'is_deleted',
  'deduplicated',
  'md7_id',
]

/** What breaks out, and what is only odd. */
const HOSTILE = [
  ...AWFUL_NAMES,
  "{{ run_query('drop table md7') }}",
  '{% endraw %}',
  'env_var("MD7")',
  ']]>',
  "x' or '1'='1",
  "\\' or 1=1 --",
  'What was {md7}.',
  'a: &b *c !d # e',
  'select',
]

const dialects = ['postgres', 'snowflake', 'bigquery', 'duckdb', 'mysql', 'sqlserver', 'clickhouse'] as const

/** Most members say nothing, so that some answers pass. */
function seldom<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
}

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('What it is.', 'Set: by a person, #1.', "It's {x}", 'no', '1e3') },
  { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...HOSTILE), anyComment) },
)
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z][a-z0-9_]{3,12}$/) },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
)
const proposal = fc.record({
  name: fc.constantFrom(...EDIT_TESTS),
  values: seldom(fc.array(fc.oneof(text, fc.constantFrom('1', '2', '-3')), { maxLength: 4 })),
  table: seldom(fc.constantFrom('things', 'parent', ...HOSTILE)),
  column: seldom(fc.constantFrom('id', ...HOSTILE)),
})

function anyEdit(ordinals: number): fc.Arbitrary<ColumnEdit> {
  return fc.record({
    ordinal: fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 1, max: ordinals }) },
      { weight: 1, arbitrary: fc.integer() },
    ),
    name: seldom(name),
    description: seldom(text),
    operation: seldom(fc.constantFrom(...PROPOSED_CONVERSIONS)),
    tests: fc.oneof(
      { weight: 2, arbitrary: fc.constant<ColumnEdit['tests']>([]) },
      { weight: 1, arbitrary: fc.array(proposal, { maxLength: 2 }) },
    ),
  })
}

interface Case {
  readonly dialect: DialectName
  readonly table: Table
  readonly edits: readonly ColumnEdit[]
  readonly description: string | null
}

const anyCase: fc.Arbitrary<Case> = fc.constantFrom(...dialects).chain((dialect) =>
  anyTable(dialect).chain((table) =>
    fc.record({
      dialect: fc.constant(dialect),
      table: fc.constant(table),
      edits: fc.uniqueArray(anyEdit(table.columns.length), {
        maxLength: 2,
        selector: ({ ordinal }) => ordinal,
      }),
      description: seldom(text),
    }),
  ),
)

type Column = ReturnType<typeof modelOf>['columns'][number]

/** The tests of a column by name, with their severity. */
function severities({ data_tests = [] }: Column): ReadonlyMap<string, string> {
  return new Map(
    data_tests.map((planned) => {
      const [key = '', body] =
        typeof planned === 'string' ? [planned] : (Object.entries(planned as object)[0] as [string, object])
      const { config = {} } = (body ?? {}) as { readonly config?: { readonly severity?: string } }
      return [key, config.severity ?? 'error'] as const
    }),
  )
}

/** What dbt would run, with our own escapes of marks taken out. */
function jinjaIn(content: string): readonly string[] {
  return content.replaceAll(/\{\{ '(?:\{[{%#]|#\})' \}\}/g, '').match(/\{[{%#].{0,40}/g) ?? []
}

/** Nothing of the answer, or a part of it, was not used. */
const REFUSALS: ReadonlySet<string> = new Set(['BACKEND_FAILED', 'EDIT_NOT_USED'])

const seen = { refused: 0, accepted: 0 }

async function checkOne({ description, dialect, edits, table }: Case): Promise<void> {
  const input = {
    dialect,
    tables: [{ ...table, schema: 'shop', name: 'things' }],
    options: { columnOrder: 'source' } as const,
  }
  const plain = await run(input)
  const backend = stubborn(answer(edits, description))
  const edited = await run({ ...input, backend, settings: { onFailure: 'fallback' } })
  const isWhole = !edited.data.warnings.some(({ code }) => REFUSALS.has(code))
  seen[isWhole ? 'accepted' : 'refused'] += 1
  if (edited.meta.fallback) expect(edited.data.files).toEqual(plain.data.files)
  const [before, after] = [modelOf(plain.data.schema), modelOf(edited.data.schema)]
  const names = after.columns.map((column) => column.name.toLowerCase())
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBe(before.columns.length)
  for (const [index, column] of before.columns.entries()) {
    const kept = severities(after.columns[index]!)
    for (const [key, severity] of severities(column)) expect([key, kept.get(key)]).toEqual([key, severity])
  }
  for (const { content, path } of edited.data.files.filter(({ path }) => path.endsWith('.yml'))) {
    expect(parse(content, { version: '1.1' })).toEqual(parse(content))
    const before = plain.data.files.find((file) => file.path === path)?.content ?? ''
    expect(jinjaIn(content)).toEqual(jinjaIn(before))
  }
  expect(jinjaIn(edited.data.code).length).toBe(1)
  expect(await sqlFault(renderJinja(edited.data.code), dialect)).toBeUndefined()
}

test('any edit of any table is refused, or what comes out is sound', async () => {
  // The oracle takes three double quotes for the start of a triple-quoted text, which no warehouse does.
  const readable = anyCase.filter(({ table }) => !table.columns.some((column) => column.name.startsWith('"')))
  await fc.assert(fc.asyncProperty(readable, checkOne), { numRuns: 300 })
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(20)
})

test.each(dialects)('in %s, any legal name that is not a reserved word is taken', async (dialect) => {
  // a first one is the one; another number would be lost
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[a-z][a-z0-9_]{0,30}$/), async (word) => {
      const { evaluated, reserved } = DIALECTS[dialect].words
      const table = { schema: 'shop', name: 'things', columns: [{ name: `${word}_1`, type: 'int' }] }
      const backend = stubborn(answer([about(1, { name: word })]))
      const { data, meta } = await run({
        dialect,
        tables: [table],
        backend,
        settings: { onFailure: 'fallback' },
      })
      const isReserved = reserved.has(word) || evaluated.has(word)
      expect(meta.fallback ?? false).toBe(isReserved)
      const names = modelOf(data.schema).columns.map((column) => column.name)
      expect(names.includes(word)).toBe(!isReserved)
    }),
    { numRuns: 60 },
  )
})

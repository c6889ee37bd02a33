import { StagecraftError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { parseConfig } from './parse-config.ts'

test('reads a configuration', () => {
  const text = 'preset: fivetran\nsources:\n  stripe:\n    tables:\n      payments:\n        key: [id]\n'
  expect(parseConfig(text, 'stagecraft.yml')).toEqual({
    preset: 'fivetran',
    sources: { stripe: { tables: { payments: { key: ['id'] } } } },
  })
})

test('reads an empty file as an empty configuration', () => {
  expect(parseConfig('', 'stagecraft.yml')).toEqual({})
  expect(parseConfig('# nothing yet\n', 'stagecraft.yml')).toEqual({})
})

test('names the line of every fault', () => {
  const text = [
    'dialect: postgrs',
    'options:',
    '  addTests: yes please',
    '  casts: safe',
    'sources:',
    '  stripe:',
    '    tabels: {}',
  ].join('\n')
  const faults = faultsOf(text)
  expect(faults).toEqual([
    expect.objectContaining({ path: 'dialect', line: 1, received: '"postgrs"' }),
    expect.objectContaining({
      path: 'options.addTests',
      line: 3,
      expected: 'true or false',
      received: '"yes please"',
    }),
    expect.objectContaining({ path: 'sources.stripe.tabels', line: 7, received: 'the key "tabels"' }),
  ])
  expect(faults[2]?.expected).toContain('tables')
})

test('lists the forms that a value may have', () => {
  expect(faultsOf('options:\n  freshness: never\n')[0]).toMatchObject({
    path: 'options.freshness',
    line: 2,
    expected: 'false or an object',
  })
})

test('points into lists', () => {
  expect(faultsOf('packages:\n  - dbt_utils\n  - 7\n')).toEqual([
    { path: 'packages.1', expected: `text, in quotes: '7'`, received: '7', line: 3 },
  ])
})

test('names the line of a YAML fault', () => {
  expect(faultsOf('options:\n  casts: [safe\n')[0]).toMatchObject({ expected: 'valid YAML' })
  expect(() => parseConfig('a: b: c\n', 'my.yml')).toThrow(/my\.yml is not valid: line 1/)
})

test('refuses a list where a mapping belongs', () => {
  expect(faultsOf('- a\n')).toEqual([{ path: '', expected: 'an object', received: 'a list' }])
})

function faultsOf(text: string) {
  try {
    parseConfig(text, 'stagecraft.yml')
  } catch (error) {
    if (error instanceof StagecraftError) return error.details?.faults ?? []
    throw error
  }
  return []
}

test('shows a number as written, in the quotes that it needs', () => {
  expect(faultsOf('dbtVersion: 1.10\n')).toMatchObject([
    { expected: `text, in quotes: '1.10'`, received: '1.10' },
  ])
})

test('lists faults in the order of their lines', () => {
  const faults = faultsOf('naming:\n  wrong: 1\noptions:\n  worse: 2\npreset: none\nother: 3\n')
  expect(faults.map(({ line }) => line)).toEqual([2, 4, 5, 6])
})

test.each([
  [
    'aliases that expand',
    Array.from(
      { length: 9 },
      (_, level) => `a${level}: &a${level} [${level === 0 ? 'x' : `*a${level - 1},`.repeat(9)}]`,
    ).join('\n'),
  ],
  ['lists or maps that are nested too deeply', `a: ${'['.repeat(20_000)}`],
])('refuses with one clear fault: %s', (received, text) => {
  expect(faultsOf(text)).toEqual([
    expect.objectContaining({ received: expect.stringContaining(received) as string }),
  ])
})

test('refuses a pattern that would give every column the same name', () => {
  expect(faultsOf("naming:\n  patterns: { timestamp: '{entity}_ts' }\n")).toEqual([
    {
      path: 'naming.patterns.timestamp',
      line: 2,
      expected: 'a pattern with `{name}`',
      received: '"{entity}_ts"',
    },
  ])
})

test('reads names without a value as empty entries', () => {
  const text = 'sources:\n  shop:\n  crm:\n    tables:\n      people:\n        columns:\n          id:\n'
  expect(parseConfig(text, 'stagecraft.yml')).toEqual({
    sources: { shop: {}, crm: { tables: { people: { columns: { id: {} } } } } },
  })
  expect(() => parseConfig('sources:\n  shop:\n    naming: 1\n', 'stagecraft.yml')).toThrow('naming')
})

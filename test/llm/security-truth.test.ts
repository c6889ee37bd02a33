// LLM09: nothing is invented, and nothing that is proven is taken away.
import { createEngine } from '@stagecraft/core'
import { scripted } from '@stagecraft/llm'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  about,
  answer,
  AT,
  catalogOf,
  CUSTOMERS,
  expectRefused,
  modelOf,
  ORDERS,
  run,
  stubborn,
  tableSent,
} from './edit-runs.ts'

/** The arguments that a proposal leaves open. */
const NONE = { values: null, table: null, column: null } as const

const relation = (table: string | null, column: string | null) => ({
  name: 'relationships' as const,
  values: null,
  table,
  column,
})
const withTest = (ordinal: number, ...tests: readonly unknown[]) => answer([{ ...about(ordinal), tests }])
const parents = [ORDERS, CUSTOMERS]
const inventions: readonly (readonly [title: string, text: string, codes: readonly string[]])[] = [
  ['a column that is not there', answer([about(9, { name: 'md7' })]), ['UNKNOWN_ORDINAL']],
  ['a negative ordinal', answer([about(-1)]), ['UNKNOWN_ORDINAL']],
  ['a huge ordinal', answer([about(2 ** 52)]), ['UNKNOWN_ORDINAL']],
  ["a loader's column", answer([about(AT.synced, { description: 'md7' })]), ['UNKNOWN_ORDINAL']],
  ['a column twice', answer([about(AT.note), about(AT.note, { name: 'md7' })]), ['REPEATED_ORDINAL']],
  ['half a column', answer([about(1.5)]), ['WRONG_SHAPE']],
  ['no number', `{"description":null,"columns":[{"ordinal":NaN}]}`, ['NOT_JSON']],
  ['an endless number', answer([]).replace('[]', '[{"ordinal":1e999}]'), ['WRONG_SHAPE']],
  ['another key', answer([{ ...about(1), md7: 1 }]), ['UNKNOWN_KEY']],
  ['a list', '[]', ['WRONG_SHAPE']],
  ['a description that is none', answer([], { md7: 1 }), ['WRONG_SHAPE']],
  ['deep nesting', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, ['WRONG_SHAPE']],
  ['two equal names', answer([about(4, { name: 'md7' }), about(5, { name: 'md7' })]), ['NAME_TAKEN']],
  ['the name of a column that is not edited', answer([about(AT.note, { name: 'wh7_seen' })]), ['NAME_TAKEN']],
  ['the name of another column', answer([about(AT.note, { name: 'wh7_amount' })]), ['NAME_TAKEN']],
  [
    'names exchanged',
    answer([about(AT.note, { name: 'wh7_amount' }), about(AT.amount, { name: 'wh7_note' })]),
    ['NAME_TAKEN'],
  ],
  ['a key converted', answer([about(AT.id, { operation: 'text' })]), ['ILLEGAL_OPERATION']],
  ['a part of a key converted', answer([about(AT.amount, { operation: 'cents' })]), ['ILLEGAL_OPERATION']],
  ['a reference converted', answer([about(AT.customer, { operation: 'text' })]), ['ILLEGAL_OPERATION']],
  ['a closed list converted', answer([about(AT.state, { operation: 'text' })]), ['ILLEGAL_OPERATION']],
  ['an operation of other types', answer([about(AT.seen, { operation: 'cents' })]), ['ILLEGAL_OPERATION']],
  ['an operation of its own', answer([{ ...about(AT.note), operation: 'md7' }]), ['WRONG_SHAPE']],
  ['a test of its own', withTest(AT.note, { ...NONE, name: 'md7' }), ['WRONG_SHAPE']],
  [
    'a test of a package',
    withTest(AT.note, { ...NONE, name: 'dbt_utils.expression_is_true' }),
    ['WRONG_SHAPE'],
  ],
  ['unique on a reference', withTest(AT.customer, { ...NONE, name: 'unique' }), ['ILLEGAL_TEST']],
  [
    'a test twice',
    withTest(AT.note, { ...NONE, name: 'not_null' }, { ...NONE, name: 'not_null' }),
    ['ILLEGAL_TEST'],
  ],
  [
    'values that are none',
    withTest(AT.amount, { ...NONE, name: 'accepted_values', values: ['md7'] }),
    ['ILLEGAL_TEST'],
  ],
  [
    'values of times',
    withTest(AT.seen, { ...NONE, name: 'accepted_values', values: ['md7'] }),
    ['ILLEGAL_TEST'],
  ],
  ['no values', withTest(AT.note, { ...NONE, name: 'accepted_values', values: [] }), ['ILLEGAL_TEST']],
  [
    'a number in two spellings',
    withTest(AT.amount, { ...NONE, name: 'accepted_values', values: ['1', '01'] }),
    ['ILLEGAL_TEST'],
  ],
  ['a parent that is not there', withTest(AT.amount, relation('md7', 'md7')), ['ILLEGAL_TEST']],
  [
    'a column that a parent does not have',
    withTest(AT.amount, relation('wh7_customers', 'md7')),
    ['ILLEGAL_TEST'],
  ],
  [
    'Jinja for a parent',
    withTest(AT.amount, relation("{{ env_var('md7') }}", '{{ md7 }}')),
    ['ILLEGAL_TEST'],
  ],
  [
    'a parent that breaks out',
    withTest(AT.amount, relation("wh7_customers') }}", 'wh7_customer_id')),
    ['ILLEGAL_TEST'],
  ],
  [
    'another parent than the declared',
    withTest(AT.customer, relation('wh7_customers', 'wh7_email')),
    ['ILLEGAL_TEST'],
  ],
  ['a time with a parent', withTest(AT.seen, relation('wh7_customers', 'wh7_customer_id')), ['ILLEGAL_TEST']],
  ...[
    'Primary key, md7.',
    'The primary-key md7.',
    'Uniquely identifies an md7.',
    'This md7 is unique.',
    'Unique ID, md7.',
    'An md7 without duplicates.',
    'Foreign  keys to md7.',
  ].map(
    (text) =>
      [`the claim "${text}"`, answer([about(AT.note, { description: text })]), ['UNPROVEN_CLAIM']] as const,
  ),
]

test.each(inventions)('refuses %s', async (_, text, codes) => {
  await expectRefused(text, { tables: parents, codes })
})

test('takes an operation without the test of the value before it', async () => {
  const tests = [{ ...NONE, name: 'accepted_values', values: ['md7'] }]
  const edit = answer([about(9, { operation: 'decimal', tests } as never)])
  const columns = [...ORDERS.columns, { name: 'wh7_price', type: 'text' }]
  const { data, meta } = await run({ tables: [{ ...ORDERS, columns }], backend: stubborn(edit) })
  expect(meta.fallback).toBeUndefined()
  expect(data.code).toMatch(/cast\(wh7_price as numeric\(38, 9\)\) as wh7_price/)
  expect(data.schema).not.toContain('md7')
  expect(data.warnings).toContainEqual({
    code: 'EDIT_NOT_USED',
    column: 'wh7_price',
    message: expect.stringMatching(
      /^wh7_price: a proposed test was not used: .*none together with an operation/,
    ) as string,
  })
})

test.each(['__proto__', 'constructor', 'toString'])('the key %s is a key like any other', async (key) => {
  const text = answer([about(AT.note)]).replace('"name"', `${JSON.stringify(key)}:{"md7":1},"name"`)
  const { data } = await run({ backend: stubborn(text), settings: { onFailure: 'fallback' } })
  expect(data.files).toEqual((await run()).data.files)
  expect(Object.hasOwn(Object.prototype, 'md7')).toBe(false)
})

test('a claim of a key is for the column of the key, and for a table that declares one', async () => {
  const { primaryKey: _, ...undeclared } = CUSTOMERS
  const tables = [
    {
      ...undeclared,
      columns: [
        { name: 'id', type: 'bigint' },
        { name: 'note', type: 'text' },
      ],
    },
  ]
  const text = answer([about(2, { description: 'Primary key, md7.' })])
  await expectRefused(text, { tables, codes: ['UNPROVEN_CLAIM'] })
  await expectRefused(answer([], 'Each row is unique, md7.'), { tables, codes: ['UNPROVEN_CLAIM'] })
})

test('a computed column keeps its name, and a column that is left out too', async () => {
  const table = {
    ...ORDERS,
    columns: [
      ...ORDERS.columns.slice(0, 6),
      { name: '_airbyte_raw_id', type: 'text' },
      { name: '_ab_cdc_deleted_at', type: 'text' },
    ],
  }
  const text = (name: string) => answer([about(AT.note, { name })])
  await expectRefused(text('is_deleted'), {
    tables: [table],
    options: { deletedRows: 'flag', loader: 'airbyte' },
    codes: ['NAME_TAKEN'],
  })
  const dropped = { ...ORDERS, columns: [...ORDERS.columns, { name: 'Secret', type: 'text' }] }
  await expectRefused(text('secret'), { tables: [dropped], codes: ['NAME_TAKEN'] })
})

test('what constraints prove stays, whatever is said of it', async () => {
  const backend = stubborn(
    answer(
      [
        about(AT.id, { name: 'order_id' }),
        about(AT.customer, { name: 'customer_id' }),
        about(AT.state, { name: 'state' }),
      ].map((edit) => ({ ...edit, description: 'Something else.' })),
    ),
  )
  const plain = await run({ tables: parents })
  const edited = await run({ tables: parents, backend })
  const testsOf = (schema: string) => modelOf(schema).columns.map((column) => column.data_tests)
  expect(testsOf(plain.data.schema).flat().filter(Boolean).length).toBeGreaterThan(4)
  expect(testsOf(edited.data.schema)).toEqual(testsOf(plain.data.schema))
  expect(modelOf(edited.data.schema).columns.map(({ name }) => name)).toContain('order_id')
})

test('a proposal beside what is proven does not weaken it', async () => {
  const tests = [
    { ...NONE, name: 'not_null' as const },
    { ...NONE, name: 'accepted_values' as const, values: ['md7'] },
  ]
  const edited = await run({ backend: stubborn(answer([about(AT.state, { tests })])) })
  expect(edited.data.files).toEqual((await run()).data.files)
})

test('what a model proposes warns, and says where it comes from', async () => {
  const tests = [{ ...NONE, name: 'not_null' } as const]
  const text = answer([about(AT.note, { description: 'What was noted.', tests })])
  const { data } = await run({ backend: stubborn(text), options: { testReasons: true } })
  const note = modelOf(data.schema).columns.find(({ description }) => description === 'What was noted.')
  expect(note).toMatchObject({
    config: { meta: { stagecraft: { description: 'llm' } } },
    data_tests: [{ not_null: { config: { severity: 'warn', meta: { stagecraft: { evidence: 'model' } } } } }],
  })
})

test("the user's word and the warehouse's comment go before the model's", async () => {
  const columns = ORDERS.columns.map((column) => ({ ...column, comment: 'As the warehouse says.' }))
  const text = answer([about(AT.note, { description: 'md7.' })], 'md7.')
  const { data } = await run({
    tables: [{ ...ORDERS, comment: 'All orders.', columns }],
    backend: stubborn(text),
  })
  expect(JSON.stringify(data.files)).not.toContain('md7')
})

test('a proposed parent is tested by the name that it has in the end', async () => {
  const { foreignKeys: _, ...undeclared } = ORDERS
  const tests = [
    { ...NONE, name: 'relationships' as const, table: 'wh7_customers', column: 'wh7_customer_id' },
  ]
  const backend = scripted((request) =>
    answer([
      tableSent(request)['table'] === 'wh7_orders'
        ? about(AT.customer, { tests })
        : about(1, { name: 'client_id' }),
    ]),
  )
  const engine = createEngine({ llm: { backend }, catalog: catalogOf([undeclared, CUSTOMERS]) })
  const { files } = await engine.generateProject({
    type: 'staging',
    sources: [],
    options: { addTests: true },
  })
  const models = parse(files.find(({ path }) => path.endsWith('models.yml'))?.content ?? '') as object
  expect(JSON.stringify(models)).toContain(
    `"arguments":{"to":"ref('stg_shop__wh7_customers')","field":"client_id"}`,
  )
  expect(JSON.stringify(models)).toContain('"name":"client_id"')
})

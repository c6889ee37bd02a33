import { ask } from '@stagecraft/assistant'
import { expect, test } from 'vitest'
import { callTool, viewOf } from './views.ts'

/** Raw tables whose columns no file lists, read through `*`; tests of all forms; a model, a test and an exposure that are off. */
const FILES = {
  'models/sources.yml': 'sources: [{ name: shop, tables: [{ name: users }, { name: orders }] }]\n',
  'models/stg_users.sql': "select * from {{ source('shop', 'users') }}\n",
  'models/stg_orders.sql': "select id, user_id, paid from {{ source('shop', 'orders') }}\n",
  'models/int_users.sql':
    "with users as (select * from {{ ref('stg_users') }})\nselect id, region from users\n",
  'models/int_both.sql':
    "select *\nfrom {{ ref('stg_users') }} u\njoin {{ source('shop', 'orders') }} o on o.user_id = u.id\n",
  'models/fct_orders.sql': "select id, user_id, paid from {{ ref('stg_orders') }}\n",
  'models/old.sql': "{{ config(enabled=false) }}\nselect id from {{ ref('fct_orders') }}\n",
  'models/models.yml': `models:
  - name: stg_users
    columns: [{ name: region, data_tests: [not_null] }]
  - name: fct_orders
    data_tests:
      - unique: { arguments: { column_name: "id || '-' || user_id" } }
    columns:
      - name: id
        data_tests: [not_null, { unique: { config: { enabled: false } } }]
      - { name: user_id, data_tests: [{ not_null: { config: { where: paid > 0 } } }] }
      - { name: paid, data_tests: [{ accepted_values: { arguments: { values: [user_id] } } }] }
exposures:
  - { name: board, type: dashboard, owner: { name: Ann }, depends_on: [ref('fct_orders')] }
  - { name: dark, type: dashboard, owner: { name: Ann }, config: { enabled: false }, depends_on: [ref('fct_orders')] }
unit_tests:
  - name: passes_paid
    model: fct_orders
    given: [{ input: ref('stg_orders'), rows: [{ id: 1, paid: 2 }] }]
    expect: { rows: [{ id: 1 }] }
`,
  'tests/paid_is_positive.sql': "select *\nfrom {{ ref('fct_orders') }}\nwhere paid < 0\n",
  'tests/users_exist.sql':
    "select o.id from {{ ref('fct_orders') }} o\nleft join {{ ref('int_users') }} u on u.id = o.user_id\nwhere u.id is null\n",
  'tests/off.sql': "{{ config(enabled=false) }}\nselect paid from {{ ref('fct_orders') }}\n",
}

async function impactOf(id: string): Promise<{
  readonly items: readonly string[]
  readonly notes: readonly string[]
}> {
  const { items, notes = [] } = await callTool(await viewOf(FILES), 'get_impact', { id })
  return {
    items: items.map((item) => `${String(Reflect.get(item, 'effect'))} ${item.id} ${item.file}:${item.line}`),
    notes,
  }
}

test('follows a raw column through a * to the models that name it, and to its tests there', async () => {
  const { items, notes } = await impactOf('shop.users.region')
  expect(items).toEqual([
    'breaks model.int_users models/int_users.sql:2',
    'test_fails test.model.stg_users:region.not_null models/models.yml:3',
  ])
  expect(notes).toContainEqual(expect.stringContaining('int_both is not fully known'))
})

test('lists the tests that name a column in SQL, in arguments and in rows', async () => {
  const { items, notes } = await impactOf('fct_orders.paid')
  expect(items).toEqual([
    'test_fails test.model.fct_orders:user_id.not_null models/models.yml:10',
    'test_fails test.model.fct_orders:paid.accepted_values models/models.yml:11',
    'test_fails test.paid_is_positive tests/paid_is_positive.sql:3',
  ])
  expect(notes).toEqual(['exposure.board may show it: it reads fct_orders, which loses paid'])
  expect((await impactOf('fct_orders.user_id')).items).toEqual([
    'test_fails test.model.fct_orders.unique models/models.yml:4',
    'test_fails test.model.fct_orders:user_id.not_null models/models.yml:10',
    'test_fails test.users_exist tests/users_exist.sql:2',
  ])
  expect((await impactOf('stg_orders.paid')).items).toContain(
    'test_fails unit_test.passes_paid models/models.yml:16',
  )
})

test('leaves out disabled models, tests and exposures, and says which name it', async () => {
  const { items, notes } = await impactOf('fct_orders')
  expect(items.filter((item) => !item.startsWith('test_fails'))).toEqual([
    'breaks exposure.board models/models.yml:13',
  ])
  expect(items.join()).not.toMatch(/off|fct_orders:id\.unique/)
  expect(notes).toEqual([
    'the disabled model old names it too, and is left out: models/old.sql:2',
    'a disabled test names it too, and is left out: tests/off.sql:2',
  ])
})

/** A model with properties, and the names of those whose key is tested. */
async function answerFor(properties: string): Promise<readonly [count: number, note: string]> {
  const files = {
    'models/a.sql': 'select 1 as x, 2 as y\n',
    'models/a.yml': `models: [{ name: a, ${properties} }]\n`,
  }
  const { items, notes } = await ask(await viewOf(files), 'which models have a primary key test?')
  return [items.length, notes.join()]
}

const WHOLE = 'columns: [{ name: x, data_tests: [not_null] }, { name: y, data_tests: [not_null] }]'
const unique = (expression: string): string =>
  `data_tests: [{ unique: { arguments: { column_name: "${expression}" } } }]`

test.each([
  [`${unique("x || '-' || y")}, ${WHOLE}`, [1, '']],
  [`${unique('concat(cast(x as varchar), y::text)')}, ${WHOLE}`, [1, '']],
  [unique("x || '-' || y"), [0, '']],
  [unique("coalesce(x, '') || coalesce(y, '')"), [1, '']],
  [`${unique('nullif(x, y)')}, ${WHOLE}`, [0, 'a: its primarykey is not known']],
  [
    'constraints: [{ type: primary_key, columns: [x] }], columns: [{ name: x, data_tests: [unique] }]',
    [1, ''],
  ],
  ['columns: [{ name: x, data_tests: [{ unique: { config: { enabled: false } } }, not_null] }]', [0, '']],
  ['data_tests: [{ dbt_utils.unique_combination_of_columns: { combination_of_columns: [x, y] } }]', [1, '']],
] as const)('tells whether the key is tested of a model with %s', async (properties, expected) => {
  const [count, note] = await answerFor(properties)
  expect([count, expected[1] === '' ? '' : note]).toEqual([
    expected[0],
    expected[1] === '' ? '' : expect.stringContaining('not known'),
  ])
})

/** Reads by name, snapshots and the semantic layer in YAML. */
const LAYERS = {
  'models/sources.yml': `sources:
  - name: shop
    schema: shop_raw
    tables: [{ name: orders }, { name: users, identifier: USERS_V1 }]
`,
  'models/stg_orders.sql': 'select id, user_id, paid\nfrom shop_raw.orders\n',
  'models/stg_users.sql': 'select u.id, u.region\nfrom Shop_Raw."USERS_V1" u\n',
  'models/fct_orders.sql': `{{ config(
  materialized='incremental',
  unique_key='id',
) }}
select * from {{ ref('stg_orders') }}
`,
  'models/other.sql': 'select x from elsewhere.orders\n',
  'snapshots/history.yml': `snapshots:
  - name: orders_history
    relation: source('shop', 'orders')
    config:
      strategy: timestamp
      unique_key: id
      updated_at: changed_at
  - name: users_history
    relation: ref('stg_users')
    config: { strategy: check, unique_key: id, check_cols: [region] }
exposures:
  - { name: board, type: dashboard, owner: { name: Ann }, depends_on: [ref('orders_history')] }
`,
  'models/semantic.yml': `semantic_models:
  - name: orders
    model: ref('fct_orders')
    entities: [{ name: order, type: primary, expr: id }]
    dimensions: [{ name: paid_at, type: time }]
    measures: [{ name: revenue, agg: sum, expr: paid / 100 }]
metrics:
  - { name: revenue_total, type: simple, type_params: { measure: revenue } }
  - name: revenue_share
    type: ratio
    type_params: { numerator: revenue_total, denominator: { name: all_revenue } }
  - { name: visits, type: simple, type_params: { measure: visits } }
saved_queries:
  - { name: weekly, query_params: { metrics: [revenue_share] } }
exposures:
  - { name: shares, type: dashboard, owner: { name: Ann }, depends_on: [metric('revenue_share')] }
`,
}

async function impactIn(id: string): Promise<readonly string[]> {
  const { items } = await callTool(await viewOf(LAYERS), 'get_impact', { id })
  return items.map((item) => `${String(Reflect.get(item, 'effect'))} ${item.id} ${item.file}:${item.line}`)
}

const METRICS = [
  'builds_on_broken metric.revenue_total models/semantic.yml:8',
  'builds_on_broken metric.revenue_share models/semantic.yml:9',
  'builds_on_broken saved_query.weekly models/semantic.yml:14',
  'builds_on_broken exposure.shares models/semantic.yml:16',
]

test('follows reads by name, snapshots of YAML, semantic models and metrics', async () => {
  expect(await impactIn('shop.orders')).toEqual([
    'breaks model.stg_orders models/stg_orders.sql:2',
    'breaks snapshot.orders_history snapshots/history.yml:3',
    'builds_on_broken model.fct_orders models/fct_orders.sql:1',
    'builds_on_broken exposure.board snapshots/history.yml:12',
    'builds_on_broken semantic_model.orders models/semantic.yml:2',
    ...METRICS,
  ])
  expect(await impactIn('stg_users')).toEqual(['breaks snapshot.users_history snapshots/history.yml:9'])
})

test('follows a column read by name into settings and the semantic layer', async () => {
  expect(await impactIn('shop.orders.paid')).toEqual([
    'breaks model.stg_orders models/stg_orders.sql:1',
    'builds_on_broken model.fct_orders models/fct_orders.sql:1',
    'builds_on_broken semantic_model.orders models/semantic.yml:2',
    ...METRICS,
  ])
  expect(await impactIn('stg_orders.id')).toEqual([
    'breaks model.fct_orders models/fct_orders.sql:3',
    'breaks semantic_model.orders models/semantic.yml:2',
    ...METRICS,
  ])
  expect(await impactIn('shop.orders.changed_at')).toEqual([
    'breaks snapshot.orders_history snapshots/history.yml:7',
    'builds_on_broken exposure.board snapshots/history.yml:12',
  ])
  expect(await impactIn('stg_users.region')).toEqual([
    'breaks snapshot.users_history snapshots/history.yml:10',
  ])
})

test('answers about snapshots of YAML and reads by name', async () => {
  const view = await viewOf(LAYERS)
  const idsOf = async (question: string): Promise<readonly string[]> =>
    (await ask(view, question)).items.map(({ id }) => id)
  expect(await idsOf('which snapshots read shop.orders?')).toEqual(['snapshot.orders_history'])
  expect(await idsOf('which models read shop.users?')).toEqual(['model.stg_users'])
  expect(await callTool(view, 'get_resource', { id: 'users_history' })).toMatchObject({
    resource: { file: 'snapshots/history.yml', line: 8 },
  })
  const uses = await callTool(view, 'find_uses', { id: 'stg_orders.id' })
  expect(uses.items.map(({ file, id, line }) => `${id} ${file}:${line}`)).toEqual([
    'model.fct_orders models/fct_orders.sql:5',
  ])
})

test('every answer names the files that cannot be read', async () => {
  const view = await viewOf({ ...LAYERS, 'models/broken.yml': 'models:\n  - { name: a, x: [ref(1), b }\n' })
  const expected = expect.stringMatching(
    /^models\/broken\.yml:2 cannot be read, so what it says is missing: /,
  )
  expect((await ask(view, 'which models have a contract?')).notes).toContainEqual(expected)
  expect((await callTool(view, 'get_impact', { id: 'stg_users' })).notes).toContainEqual(expected)
})

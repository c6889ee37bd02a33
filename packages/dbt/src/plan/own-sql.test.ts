import type { Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { actionsOf, type PretendProject, pretendProject } from '../testing/pretend-project.ts'

const MODEL = 'models/staging/shop/stg_shop__orders.sql'
const MODELS = 'models/staging/shop/_shop__models.yml'

const ORDERS: Table = {
  schema: 'shop',
  name: 'orders',
  primaryKey: ['id'],
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'state', type: 'text', values: ['open', 'paid'] },
    { name: 'created_at', type: 'timestamp with time zone' },
    { name: 'active', type: 'text', values: ['yes', 'no'] },
    { name: '_fivetran_deleted', type: 'boolean' },
    { name: '_fivetran_synced', type: 'timestamp with time zone' },
  ],
}
const REFUNDS: Table = { ...ORDERS, name: 'refunds', columns: ORDERS.columns.slice(0, 2) }

/** The entry of a model in YAML, as it is written. */
function entryOf({ files }: PretendProject, model: string): string {
  const [, entry = ''] = files.get(MODELS)?.split(new RegExp(`^(?= {2}- name: ${model}$)`, 'm')) ?? []
  return entry.split(/^(?= {2}- name: )/m)[0]?.trimEnd() ?? ''
}

function edit({ files }: PretendProject, changes: readonly (readonly [RegExp | string, string])[]): void {
  for (const [from, to] of changes) {
    const text = files.get(MODEL) ?? ''
    expect(text.replace(from, to)).not.toBe(text)
    files.set(MODEL, text.replace(from, to))
  }
}

const GENERATED = `  - name: stg_shop__orders
    description: One row per order. Rows that Fivetran marked as deleted are left out.
    columns:
      - name: order_id
        description: Primary key.
        data_tests:
          - unique
          - not_null
      - name: state
        description: One of \`open\` and \`paid\`.
        data_tests:
          - accepted_values:
              arguments:
                values:
                  - open
                  - paid
      - name: is_active
        description: From \`yes\` or \`no\` in the source.
      - name: created_at
        description: When the order was created, in UTC.
      - name: _fivetran_deleted
        description: True when the row was deleted in the source system.
      - name: _fivetran_synced
        description: When Fivetran last wrote the row, in UTC.`

const PLAIN = `  - name: stg_shop__orders
    description: One row per order.
    columns:
      - name: order_id
        description: Primary key.
        data_tests:
          - unique
          - not_null
      - name: state
      - name: is_active
      - name: created_at
        description: When the order was created.
      - name: _fivetran_deleted
        description: True when the row was deleted in the source system.
      - name: _fivetran_synced
        description: When Fivetran last wrote the row.`

test('what a person takes out of the SQL is no longer said of it, and comes back with it', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, REFUNDS])
  expect(entryOf(project, 'stg_shop__orders')).toBe(GENERATED)
  const generated = project.files.get(MODEL) ?? ''
  const yaml = project.files.get(MODELS)
  edit(project, [
    ['    where not coalesce(_fivetran_deleted, false)\n', ''],
    [/^ {8}state,$/m, '        upper(state) as state,'],
    [/case[^]*?end as is_active/, 'active as is_active'],
    [/created_at at time zone 'UTC' as created_at/, 'created_at'],
    [/_fivetran_synced at time zone 'UTC' as _fivetran_synced/, '_fivetran_synced'],
  ])
  const edited = project.files.get(MODEL) ?? ''
  for (const fresh of [false, true]) {
    project.files.set(MODEL, edited)
    await project.apply([ORDERS, REFUNDS], { fresh })
    expect(entryOf(project, 'stg_shop__orders')).toBe(PLAIN)
    expect(project.files.get(MODEL)).toBe(edited)
    expect(actionsOf(await project.plan([ORDERS, REFUNDS], { fresh: true }))).toEqual({})
    await project.apply([REFUNDS], { only: ['refunds'] })
    expect(entryOf(project, 'stg_shop__orders')).toBe(PLAIN)
    project.files.set(MODEL, generated)
    await project.apply([ORDERS, REFUNDS], { fresh })
    expect(project.files.get(MODELS)).toBe(yaml)
    expect(actionsOf(await project.plan([ORDERS, REFUNDS]))).toEqual({})
  }
})

test('what a person wrote in its place stays', async () => {
  const project = pretendProject()
  await project.apply([ORDERS])
  const own = '        description: The local time. # Mei\n'
  const yaml = (project.files.get(MODELS) ?? '')
    .replace(/ +description: When the order was created, in UTC\.\n/, own)
    .replace('`no` in the source.', '`no` in the source. # ask Ben')
  project.files.set(MODELS, yaml)
  edit(project, [
    [/created_at at time zone 'UTC' as created_at/, 'created_at'],
    [/case[^]*?end as is_active/, 'active as is_active'],
  ])
  await project.apply([ORDERS])
  expect(project.files.get(MODELS)).toBe(yaml)
  expect(actionsOf(await project.plan([ORDERS]))).toEqual({})
})

const ADOPTED = `with source as (
  select * from {{ source('shop', 'orders') }}
)
select
  o.id as order_id
  , cast(o.state as varchar) as state
  , o.created_at
  , o.active = 'yes' as is_active
  , l.lines
from source as o
left join {{ ref('lines') }} as l on l.order_id = o.id
`

test('of an adopted model only that is said which its SQL makes true', async () => {
  const project = pretendProject({ 'models/orders.sql': ADOPTED })
  await project.apply([ORDERS], { adopt: new Set(['models/orders.sql']) })
  await project.apply([ORDERS])
  const yaml = project.files.get(MODELS) ?? ''
  expect(yaml).toBe(`version: 2

models:
  - name: orders
    columns:
      - name: order_id
        description: Primary key.
        data_tests:
          - unique
          - not_null
      - name: state
        description: One of \`open\` and \`paid\`.
        data_tests:
          - accepted_values:
              arguments:
                values:
                  - open
                  - paid
      - name: is_active
      - name: created_at
        description: When the order was created.
`)
  expect(project.files.get('models/orders.sql')).toBe(ADOPTED)
  expect(actionsOf(await project.plan([ORDERS], { fresh: true }))).toEqual({})
})

test('a person who selects exactly what is generated says the same', async () => {
  const own = `select
    id as order_id,
    state,
    created_at AT TIME ZONE 'UTC' AS created_at,
    case when active = 'yes' then true when active = 'no' then false end as is_active
from {{ source('shop', 'orders') }}
where not coalesce(_fivetran_deleted, false) and id > 0
`
  const project = pretendProject({ [MODEL]: own })
  await project.apply([ORDERS], { adopt: new Set([MODEL]) })
  await project.apply([ORDERS])
  expect(entryOf(project, 'stg_shop__orders')).toBe(GENERATED.split('\n      - name: _fivetran_deleted')[0])
})

test('a condition that only sometimes leaves rows out does not count', async () => {
  const project = pretendProject()
  await project.apply([ORDERS])
  edit(project, [['_fivetran_deleted, false)', '_fivetran_deleted, false) or id < 10']])
  await project.apply([ORDERS])
  expect(entryOf(project, 'stg_shop__orders')).toContain('    description: One row per order.\n')
})

test('rows that may repeat their key are not tested for being unique', async () => {
  const config = {
    options: { loadMode: 'append' as const },
    sources: { shop: { tables: { orders: { key: ['id'] } } } },
  }
  const { primaryKey: _, ...table } = ORDERS
  const orders = {
    ...table,
    columns: [...ORDERS.columns, { name: '_airbyte_extracted_at', type: 'timestamp with time zone' }].filter(
      ({ name }) => !name.startsWith('_fivetran'),
    ),
  }
  const project = pretendProject()
  await project.apply([orders], { config })
  const said = 'One row per order. Only the newest version of each row is kept.'
  expect(entryOf(project, 'stg_shop__orders')).toContain(`    description: ${said}\n`)
  expect(entryOf(project, 'stg_shop__orders')).toContain('- unique')
  const generated = project.files.get(MODEL) ?? ''
  edit(project, [
    [/deduplicated as \([^]*?\n\),\n\n/, ''],
    [/from deduplicated/, 'from source'],
  ])
  await project.apply([orders], { config })
  expect(entryOf(project, 'stg_shop__orders')).toMatch(
    /^ {2}- name: stg_shop__orders\n {4}columns:\n {6}- name: order_id\n {8}description: .*\n {8}data_tests:\n {10}- not_null\n/,
  )
  project.files.set(
    MODEL,
    generated.replace(/ +qualify[^]*?= 1\n/, '    qualify rank() over (order by id) = 1\n'),
  )
  await project.apply([orders], { config })
  expect(entryOf(project, 'stg_shop__orders')).toContain('    description: One row per order.\n')
  expect(entryOf(project, 'stg_shop__orders')).toContain('- unique')
})

test('types of columns that a person selects otherwise are not written, but for a contract', async () => {
  for (const [options, isWritten] of [
    [{ dataTypes: true }, false],
    [{ contract: true }, true],
  ] as const) {
    const project = pretendProject()
    await project.apply([ORDERS], { config: { options } })
    expect(entryOf(project, 'stg_shop__orders')).toMatch(/name: state\n(?: {8}.*\n)* {8}data_type: text\n/)
    edit(project, [[/^ {8}state,$/m, '        length(state) as state,']])
    await project.apply([ORDERS], { config: { options } })
    expect(/name: state\n(?: {8}.*\n)* {8}data_type/.test(entryOf(project, 'stg_shop__orders'))).toBe(
      isWritten,
    )
  }
})

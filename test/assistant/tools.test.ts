import { RESULT_BYTES, TOOLS } from '@stagecraft/assistant'
import { StagecraftError } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { callTool, places, SHOP_FILES, viewOf } from './views.ts'

test('counts a project, and lists its sources', async () => {
  const overview = await callTool(await viewOf(SHOP_FILES), 'project_overview')
  expect(overview).toMatchObject({
    untrusted: true,
    project: 'shop',
    counts: { models: 5, sources: 1, 'source tables': 2, seeds: 1, snapshots: 0, exposures: 1, macros: 1 },
    layers: { intermediate: 1, mart: 1, other: 1, staging: 2 },
    items: [{ id: 'source.shop', file: 'models/sources.yml', line: 2, text: '2 tables declared' }],
  })
})

test('finds a column by the meaning of its words', async () => {
  const view = await viewOf(SHOP_FILES)
  const [first] = (await callTool(view, 'search_project', { query: 'client name', kinds: ['column'] })).items
  expect(first).toMatchObject({
    id: 'model.stg_shop__customers:name',
    file: 'models/stg_shop__customers.sql',
    line: 1,
  })
  const described = await callTool(view, 'search_project', { query: 'gross amount', kinds: ['column'] })
  expect(described.items.map(({ id }) => id)).toContain('model.fct_orders:total')
  expect(await callTool(view, 'search_project', { query: 'zebra' })).toMatchObject({
    total: 0,
    notes: ['no known name or description has these words'],
  })
})

test('says where something is defined, with columns, types, tests and SQL', async () => {
  const view = await viewOf(SHOP_FILES)
  const model = await callTool(view, 'get_resource', { id: 'stg_shop__orders' })
  expect(model).toMatchObject({
    resource: {
      id: 'model.stg_shop__orders',
      file: 'models/stg_shop__orders.sql',
      line: 1,
      text: 'One row per order.',
    },
    propertiesFile: 'models/staging.yml',
    total: 4,
  })
  expect(model.items[0]).toEqual({
    id: 'model.stg_shop__orders:order_id',
    kind: 'column',
    file: 'models/stg_shop__orders.sql',
    line: 6,
    text: 'The order.',
    tests: ['unique'],
  })
  const source = await callTool(view, 'get_resource', { id: 'shop.orders.amount' })
  expect(source.items).toEqual([
    {
      id: 'source.shop.orders:amount',
      kind: 'column',
      file: 'models/sources.yml',
      line: 4,
      type: 'numeric(10,2)',
    },
  ])
  expect(await places(view, 'get_resource', { id: 'fct_orders', part: 'tests' })).toEqual([
    'test.no_negative_totals tests/no_negative_totals.sql:1',
  ])
  expect((await callTool(view, 'get_resource', { id: 'fct_orders', part: 'sql' })).items[3]).toMatchObject({
    line: 4,
    text: '    o.amount + o.tax as total',
  })
})

test('says where something is used, in models, tests, macros, exposures and properties', async () => {
  const view = await viewOf(SHOP_FILES)
  expect(await places(view, 'find_uses', { id: 'fct_orders' })).toEqual([
    'exposure.weekly models/sources.yml:7',
    'test.tests/no_negative_totals.sql tests/no_negative_totals.sql:1',
  ])
  expect(await places(view, 'find_uses', { id: 'model.stg_shop__orders' })).toEqual([
    'macro.macros/last_order.sql macros/last_order.sql:1',
    'model.int_orders models/int_orders.sql:1',
  ])
  expect(await places(view, 'find_uses', { id: 'stg_shop__customers' })).toEqual([
    'model.fct_orders models/fct_orders.sql:6',
    'properties.models/staging.yml models/staging.yml:11',
  ])
  expect(await places(view, 'find_uses', { id: 'int_orders.tax' })).toEqual([
    'model.fct_orders models/fct_orders.sql:4',
  ])
})

test('follows lineage up and down, as far as asked', async () => {
  const view = await viewOf(SHOP_FILES)
  const up = await callTool(view, 'get_lineage', { id: 'fct_orders.total', direction: 'up' })
  expect(up.items).toMatchObject([
    { id: 'model.int_orders:amount', distance: 1, via: ['model.fct_orders:total'] },
    { id: 'model.int_orders:tax', distance: 1 },
    { id: 'model.stg_shop__orders:amount', distance: 2 },
    { id: 'model.stg_shop__orders:tax', distance: 2 },
    { id: 'source.shop.orders:amount', distance: 3 },
    { id: 'source.shop.orders:tax', distance: 3 },
  ])
  const near = await callTool(view, 'get_lineage', { id: 'shop.orders', direction: 'down', depth: 1 })
  expect(near.items.map(({ id }) => id)).toEqual(['model.stg_shop__orders'])
  expect((await callTool(view, 'get_lineage', { id: 'odd' })).items.map(({ id }) => id)).toContain(
    'model.int_orders',
  )
})

test('says what breaks without a column, and without a relation', async () => {
  const view = await viewOf(SHOP_FILES)
  const column = await callTool(view, 'get_impact', { id: 'shop.orders.tax' })
  expect(column.items.map((item) => [item.id, Reflect.get(item, 'effect')])).toEqual([
    ['model.stg_shop__orders', 'breaks'],
    ['model.int_orders', 'builds_on_broken'],
    ['model.fct_orders', 'builds_on_broken'],
    ['model.odd', 'builds_on_broken'],
    ['exposure.weekly', 'builds_on_broken'],
  ])
  expect(column.items[0]).toMatchObject({ file: 'models/stg_shop__orders.sql', line: 9 })
  const relation = await callTool(view, 'get_impact', { id: 'stg_shop__customers' })
  expect(relation.items.map((item) => [item.id, Reflect.get(item, 'effect')])).toEqual([
    ['model.fct_orders', 'breaks'],
    ['exposure.weekly', 'builds_on_broken'],
    ['test.model.stg_shop__orders:customer_id.relationships', 'test_fails'],
  ])
  expect(relation.notes).toContain('a test downstream cannot run')
  const tested = await callTool(view, 'get_impact', { id: 'stg_shop__orders.order_id' })
  expect(tested.items).toContainEqual(
    expect.objectContaining({
      id: 'test.model.stg_shop__orders:order_id.unique',
      effect: 'test_fails',
      line: 5,
    }),
  )
})

test('lists findings by path, resource, rule and severity', async () => {
  const view = await viewOf(SHOP_FILES)
  const all = await callTool(view, 'check_project')
  expect(all.total).toBeGreaterThan(1)
  const narrow = await callTool(view, 'check_project', { path: 'models/staging.yml' })
  expect(new Set(narrow.items.map(({ file }) => file))).toEqual(new Set(['models/staging.yml']))
  const errors = await callTool(view, 'check_project', { minSeverity: 'error' })
  expect(errors.total).toBeLessThan(all.total)
  const key = await callTool(view, 'check_project', { rule: 'untested-key', id: 'stg_shop__orders' })
  expect(key.items).toMatchObject([
    { file: 'models/staging.yml', line: 2, rule: 'SC107 untested-key', fixable: true },
  ])
})

test('lists what is untested, undocumented and unused', async () => {
  const view = await viewOf(SHOP_FILES)
  const ids = async (input: object): Promise<readonly string[]> =>
    (await callTool(view, 'list_gaps', input)).items.map(({ id }) => id)
  expect(await ids({ gap: 'untested' })).toEqual([
    'model.int_orders',
    'model.odd',
    'model.stg_shop__customers',
  ])
  expect(await ids({ gap: 'unused' })).toEqual(['model.odd', 'seed.countries'])
  expect(await ids({ gap: 'undocumented', kinds: ['model'] })).not.toContain('model.stg_shop__orders')
})

/**
 * Tags of the file, of its properties and of its folders; one that is worked out when dbt runs; one that is
 * switched off.
 */
const TAGGED_FILES = {
  'dbt_project.yml':
    'name: shop\nmodels:\n  shop:\n    +tags: all\n    marts:\n      +tags: [nightly]\n      +materialized: table\n',
  'models/marts/fct_a.sql': '{{ config(tags=[\'pii\', "own"]) }} select 1 as a',
  'models/marts/fct_b.sql': "{{ config(tags=[var('tag')], materialized='view') }} select 1 as a",
  'models/stg_c.sql': "{{ config(tags='pii') }} select 1 as c",
  'models/old.sql': '{{ config(enabled=false) }} select 1 as d',
  'models/all.yml':
    'models:\n  - name: fct_a\n    description: A.\n    config: { tags: core, contract: { enforced: true }, group: g }\n    columns: [{ name: a, data_tests: [unique, not_null] }]\n' +
    'sources:\n  - name: s\n    freshness: { warn_after: { count: 1, period: day } }\n    tables: [{ name: x }, { name: y, freshness: null }]\n' +
    "exposures:\n  - name: board\n    type: dashboard\n    owner: { name: Ann, email: a@b.example }\n    depends_on: [ref('fct_a')]\n",
  'macros/m.sql': '{% macro m() %}1{% endmacro %}',
}

test.each([
  [{ where: ['tag=pii'] }, ['model.fct_a', 'model.stg_c']],
  [{ where: ['tag=nightly', 'tag=core'] }, ['model.fct_a']],
  [{ where: ['tag!=pii'] }, []],
  [{ where: ['layer=mart', 'materialized=table'] }, ['model.fct_a']],
  [{ where: ['materialized=view'] }, ['model.fct_b', 'model.stg_c']],
  [{ where: ['folder=marts'] }, ['model.fct_a', 'model.fct_b']],
  [{ where: ['tests>1'] }, ['model.fct_a']],
  [{ where: ['tests>=2'] }, ['model.fct_a']],
  [{ where: ['tests <= 0', 'readers != 7'] }, ['model.fct_b', 'model.stg_c']],
  [{ where: ['tests>=0', 'tests<=1'] }, ['model.fct_b', 'model.stg_c']],
  [{ gap: 'untested', where: ['layer=staging or layer=intermediate'] }, ['model.stg_c']],
  [{ where: ['test=not_null'] }, ['model.fct_a']],
  [{ where: ['column=c'] }, ['model.stg_c']],
  [{ where: ['description=no', 'contract=no'] }, ['model.fct_b', 'model.stg_c']],
  [{ where: ['group=none'] }, ['model.fct_b', 'model.stg_c']],
  [{ where: ['enabled=no'] }, ['model.old']],
  [{ where: ['freshness=yes'] }, ['source.s.x']],
  [{ where: ['source=s', 'readers<1'] }, ['source.s.x', 'source.s.y']],
  [{ where: ['owner=ann', 'type=dashboard'] }, ['exposure.board']],
  [{ kinds: ['macro'] }, ['macro.m']],
] as const)('lists what meets %j', async (input, expected) => {
  const { items } = await callTool(await viewOf(TAGGED_FILES), 'list_gaps', input)
  expect(items.map(({ id }) => id)).toEqual(expected)
})

test('says of what a condition is not known', async () => {
  const { notes } = await callTool(await viewOf(TAGGED_FILES), 'list_gaps', { where: ['tag=pii'] })
  expect(notes).toEqual(['fct_b: its tag is not known'])
})

test.each([
  [['colour=red'], 'where: expected a fact and its value: layer, folder,'],
  [['tests=many'], 'where: expected a fact and its value'],
  [['tests=>2'], 'numbers take =, !=, >, >=, < and <=: tests>=3'],
  [['tag>=pii'], 'numbers take =, !=, >, >=, < and <=: tests>=3'],
  [['contract=maybe'], 'where: expected a fact and its value'],
  [['tag=weekly'], 'where: expected a tag of the project: pii, own, core, all, nightly'],
  [['source=s', 'tag=pii'], 'kinds: expected conditions that one kind of relation can meet'],
  [["tag=pii'; drop table x"], 'where: expected a tag of the project'],
])('refuses the condition %j', async (where, message) => {
  await expect(callTool(await viewOf(TAGGED_FILES), 'list_gaps', { where })).rejects.toThrow(message)
})

test('refuses conditions of a kind that cannot have them', async () => {
  const call = callTool(await viewOf(TAGGED_FILES), 'list_gaps', {
    kinds: ['seed'],
    where: ['layer=staging'],
  })
  await expect(call).rejects.toThrow('kinds: expected model, column, got "seed"')
})

test('proposes tests that the raw tables call for', async () => {
  const { items } = await callTool(await viewOf(SHOP_FILES), 'suggest_tests', { id: 'stg_shop__orders' })
  expect(items).toContainEqual(
    expect.objectContaining({
      rule: 'SC107 untested-key',
      tests: ['order_id: "not_null"'],
      file: 'models/staging.yml',
    }),
  )
  const without = await callTool(
    await viewOf(
      Object.fromEntries(Object.entries(SHOP_FILES).filter(([path]) => path !== 'raw-tables.json')),
    ),
    'suggest_tests',
  )
  expect(without).toMatchObject({ total: 0 })
  expect(without.notes?.[0]).toContain('it needs the raw tables')
})

test('explains rules, codes, tests and names', async () => {
  const view = await viewOf(SHOP_FILES)
  expect(await callTool(view, 'explain', { topic: 'untested-key' })).toMatchObject({
    about: 'rule',
    topic: 'SC107 untested-key',
    items: [{ file: 'models/staging.yml', line: 2 }],
  })
  expect(await callTool(view, 'explain', { topic: 'name_collision' })).toMatchObject({
    about: 'warning',
    topic: 'NAME_COLLISION',
  })
  expect(await callTool(view, 'explain', { topic: 'relationships' })).toMatchObject({
    about: 'test',
    items: [{ id: 'test.model.stg_shop__orders:customer_id.relationships', line: 8 }],
  })
  expect(await callTool(view, 'explain', { topic: 'int_orders' })).toMatchObject({
    about: 'name',
    meaning: 'intermediate model int_orders, which reads model.stg_shop__orders',
  })
})

test('names what is wrong with a question', async () => {
  const view = await viewOf(SHOP_FILES)
  const wrong = async (name: string, input: unknown): Promise<string> => {
    const error: unknown = await callTool(view, name, input).catch((fault: unknown) => fault)
    expect(error).toBeInstanceOf(StagecraftError)
    return error instanceof StagecraftError ? error.message : ''
  }
  expect(await wrong('get_resource', { id: 'stg_shop__ordres' })).toContain(
    'the closest name is "stg_shop__orders"',
  )
  expect(await wrong('get_resource', {})).toBe('id: expected text, got nothing')
  expect(await wrong('get_resource', { name: 'fct_orders' })).toBe(
    'id: expected text, got nothing; name: expected one of the keys id, part, limit, cursor, got the key "name"',
  )
  expect(await wrong('get_resource', { id: 'fct_orders', depth: 1 })).toContain(
    'depth: expected one of the keys id, part',
  )
  expect(await wrong('propose_fix', { findings: [] })).toContain(
    'findings: expected a list that is not empty, got an empty list',
  )
  expect(await wrong('propose_properties', {})).toContain('edits: expected a list, got nothing')
  expect(await wrong('list_gaps', { gap: 'lost' })).toContain('gap')
  expect(await wrong('get_resource', { id: 'fct_orders', cursor: '1-aaaaaaaaaaaa' })).toContain(
    'ask again without a cursor',
  )
  expect(await wrong('get_resource', { id: 'shop.orders', part: 'sql' })).toContain(
    'for a resource without SQL',
  )
  expect(await wrong('explain', { topic: 'SC999' })).toContain('expected a lint rule')
})

test('pages through everything in results of limited size', async () => {
  const models = Array.from({ length: 300 }, (_, at) => [
    `models/stg_${String(at).padStart(3, '0')}.sql`,
    "select * from {{ source('shop', 'orders') }}\n",
  ])
  const long = `models:\n  - name: stg_000\n    description: ${'é"\\'.repeat(5000)}\n`
  const view = await viewOf({ ...SHOP_FILES, ...Object.fromEntries(models), 'models/long.yml': long })
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await callTool(view, 'find_uses', {
      id: 'shop.orders',
      limit: 50,
      ...(cursor && { cursor }),
    })
    expect(new TextEncoder().encode(JSON.stringify(page)).length).toBeLessThanOrEqual(RESULT_BYTES)
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  expect(ids.length).toBe(301)
  expect(new Set(ids).size).toBe(301)
})

test('every tool says what it does in a constant order', () => {
  expect(TOOLS.map(({ name }) => name)).toEqual([
    'project_overview',
    'search_project',
    'get_resource',
    'find_uses',
    'get_lineage',
    'get_impact',
    'check_project',
    'list_gaps',
    'suggest_tests',
    'explain',
    'list_sources',
    'describe_table',
    'compare_source',
    'get_conventions',
    'propose_model',
    'propose_fix',
    'propose_properties',
  ])
})

describe('raw tables', () => {
  test('are listed with their readers, and by their state', async () => {
    const view = await viewOf(SHOP_FILES)
    const states = (await callTool(view, 'list_sources', {})).items.map((item) => [
      item.id,
      Reflect.get(item, 'state'),
      Reflect.get(item, 'readers'),
    ])
    expect(states).toEqual([
      ['source.shop.orders', 'declared', 1],
      ['source.shop.customers', 'missing', 1],
    ])
    expect((await callTool(view, 'list_sources', { state: 'missing' })).total).toBe(1)
    await expect(callTool(view, 'list_sources', { source: 'nothing' })).rejects.toThrow('a dbt source: shop')
  })

  test('are described with types, nulls and keys', async () => {
    const view = await viewOf(SHOP_FILES)
    const { items, ...head } = await callTool(view, 'describe_table', { table: 'shop.orders' })
    expect(head).toMatchObject({ known: 'warehouse', resource: { id: 'source.shop.orders' }, total: 5 })
    expect(items[0]).toMatchObject({
      id: 'source.shop.orders:id',
      type: 'integer',
      nullable: false,
      keys: ['primary key (id)'],
    })
    await expect(callTool(view, 'describe_table', { table: 'fct_orders' })).rejects.toThrow(
      'a table of a source',
    )
  })

  test('are described where only the warehouse or the lock has them', async () => {
    const columns = [{ name: 'id', type: 'integer' }]
    const raw = JSON.parse(SHOP_FILES['raw-tables.json'] ?? '') as readonly object[]
    const inWarehouse = await viewOf({
      ...SHOP_FILES,
      'raw-tables.json': JSON.stringify([...raw, { schema: 'shop', name: 'Refunds', columns }]),
    })
    for (const table of ['shop.refunds', 'source.shop.Refunds'])
      expect(await callTool(inWarehouse, 'describe_table', { table })).toMatchObject({
        known: 'warehouse',
        resource: { id: 'source.shop.Refunds', file: 'models/sources.yml' },
        items: [{ id: 'source.shop.Refunds:id', type: 'integer' }],
        notes: ['no source of the project declares it'],
      })
    const { 'raw-tables.json': _, ...files } = SHOP_FILES
    const former = JSON.stringify({ 'crm.people': { columns } })
    const inLock = await viewOf({ ...files, 'former-tables.json': former })
    expect(await callTool(inLock, 'describe_table', { table: 'crm.people' })).toMatchObject({
      known: 'lock',
      items: [{ id: 'source.crm.people:id' }],
      notes: ['as of the last generation', 'no source of the project declares it'],
    })
    await expect(callTool(inLock, 'describe_table', { table: 'crm.nobody' })).rejects.toThrow('crm.nobody')
  })

  test('are compared with what models were generated from', async () => {
    const column = (name: string, type: string) => ({ name, type })
    const files = {
      ...SHOP_FILES,
      'former-tables.json': JSON.stringify({
        'shop.orders': {
          columns: [
            { ...column('id', 'integer'), nullable: false },
            { ...column('customer', 'integer'), nullable: false },
            column('amount', 'integer'),
            column('tax', 'numeric(10,2)'),
            column('note', 'text'),
          ],
        },
      }),
    }
    const view = await viewOf(files)
    for (const id of [undefined, 'shop', 'source.shop.orders', 'stg_shop__orders']) {
      const result = await callTool(view, 'compare_source', id === undefined ? {} : { id })
      expect(result).toMatchObject({ compared: 1 })
      expect(result.items.map((item) => [item.id, Reflect.get(item, 'change')])).toEqual([
        ['source.shop.orders:amount', 'retyped'],
        ['source.shop.orders:deleted', 'added'],
        ['source.shop.orders:note', 'removed'],
        ['source.shop.orders', 'key'],
      ])
    }
  })

  test('cannot be compared without a catalog, and nobody is told that nothing changed', async () => {
    const { 'raw-tables.json': _, ...files } = SHOP_FILES
    await expect(callTool(await viewOf(files), 'compare_source', {})).rejects.toThrow(
      'the server was started without --catalog',
    )
  })
})

test('conventions are those of stagecraft.yml, then those that models follow, with their counts', async () => {
  const staging = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [
      `models/staging/stg_shop__${name}.sql`,
      `select id as ${name}_id, createdat as created_at from {{ source('shop', '${name}') }}\n`,
    ]),
  )
  const view = await viewOf({
    'models/sources.yml':
      'sources: [{ name: shop, tables: [{ name: a }, { name: b }, { name: c }, { name: d }] }]\n',
    'stagecraft.yml': 'preset: dbt-labs\nnaming:\n  glossary:\n    amt: amount\n',
    ...staging,
  })
  const result = await callTool(view, 'get_conventions', {})
  expect(result).toMatchObject({ models: 4 })
  expect(result.items.slice(0, 2)).toMatchObject([
    { id: 'setting.preset', file: 'stagecraft.yml', line: 1, text: 'preset: "dbt-labs"' },
    { id: 'setting.naming.glossary.amt', file: 'stagecraft.yml', line: 4 },
  ])
  expect(result.items.slice(2).length).toBeGreaterThan(0)
  for (const item of result.items.slice(2)) expect(Reflect.get(item, 'of')).toBeGreaterThan(0)
  const topic = await callTool(view, 'get_conventions', { topic: 'glossary' })
  expect(topic.items.map(({ id }) => id)).toEqual(['setting.naming.glossary.amt'])
})

test('cites each setting where it stands: in braces, and under the same key elsewhere', async () => {
  const text = `options: { addTests: true, materialized: view }
naming: {
  booleans: false }
sources:
  shop:
    naming: { booleans: true }
    tables:
      orders: { options: { addTests: false },
        naming: { timestamps: suffix } }
`
  const view = await viewOf({ ...SHOP_FILES, 'stagecraft.yml': text })
  const { items } = await callTool(view, 'get_conventions', {})
  const lines = items.filter(({ kind }) => kind === 'setting').map(({ file, id, line }) => [id, file, line])
  const settings = [
    ['setting.options.addTests', 1],
    ['setting.options.materialized', 1],
    ['setting.naming.booleans', 3],
    ['setting.sources.shop.naming.booleans', 6],
    ['setting.sources.shop.tables.orders.options.addTests', 8],
    ['setting.sources.shop.tables.orders.naming.timestamps', 9],
  ]
  expect(lines).toEqual(settings.map(([id, line]) => [id, 'stagecraft.yml', line]))
})

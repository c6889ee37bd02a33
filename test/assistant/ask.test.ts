import { ask, ASKABLE, type ComputedAnswer } from '@stagecraft/assistant'
import { StagecraftError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { SHOP_FILES, viewOf } from './views.ts'

const ids = ({ items }: ComputedAnswer): readonly string[] => items.map(({ id }) => id).toSorted()

test.each([
  [
    'What breaks if shop.orders.tax is dropped?',
    'get_impact',
    ['exposure.weekly', 'model.fct_orders', 'model.int_orders', 'model.odd', 'model.stg_shop__orders'],
  ],
  [
    'what breaks if I drop the column tax of shop.orders',
    'get_impact',
    ['exposure.weekly', 'model.fct_orders', 'model.int_orders', 'model.odd', 'model.stg_shop__orders'],
  ],
  ['Can I safely delete `stg_shop__customers`?', 'get_impact', ['exposure.weekly', 'model.fct_orders']],
  ['where is fct_orders used?', 'find_uses', ['exposure.weekly', 'test.tests/no_negative_totals.sql']],
  ['Who uses shop.customers?', 'find_uses', ['model.stg_shop__customers']],
  ['is stg_shop__customers unused?', 'find_uses', ['model.fct_orders', 'properties.models/staging.yml']],
  ['what does fct_orders read?', 'get_lineage', ['model.int_orders', 'model.stg_shop__customers']],
  ['what does stg_shop__orders depend on?', 'get_lineage', ['source.shop.orders']],
  [
    'what depends on stg_shop__orders?',
    'get_lineage',
    ['exposure.weekly', 'model.fct_orders', 'model.int_orders', 'model.odd'],
  ],
  [
    'where does "total" come from?',
    'get_lineage',
    [
      'model.int_orders:amount',
      'model.int_orders:tax',
      'model.stg_shop__orders:amount',
      'model.stg_shop__orders:tax',
      'source.shop.orders:amount',
      'source.shop.orders:tax',
    ],
  ],
  [
    "which models aren't tested?",
    'list_gaps',
    ['model.int_orders', 'model.odd', 'model.stg_shop__customers'],
  ],
  ['which seeds are unused?', 'list_gaps', ['seed.countries']],
  [
    'which tests does stg_shop__orders have?',
    'get_resource',
    ['test.model.stg_shop__orders:customer_id.relationships', 'test.model.stg_shop__orders:order_id.unique'],
  ],
  [
    'which columns does fct_orders have?',
    'get_resource',
    ['model.fct_orders:name', 'model.fct_orders:order_id', 'model.fct_orders:total'],
  ],
  ['which sources feed fct_orders?', 'get_lineage', ['source.shop.customers', 'source.shop.orders']],
  ['what feeds stg_shop__orders?', 'get_lineage', ['source.shop.orders']],
  ['which sources do we have?', 'list_sources', ['source.shop.customers', 'source.shop.orders']],
  [
    'how is fct_orders materialized?',
    'get_resource',
    ['model.fct_orders:name', 'model.fct_orders:order_id', 'model.fct_orders:total'],
  ],
  ['what are our naming conventions?', 'get_conventions', expect.any(Array)],
  ['what drifted in shop.orders?', 'compare_source', []],
  [
    'which fields are in fct_orders?',
    'get_resource',
    ['model.fct_orders:name', 'model.fct_orders:order_id', 'model.fct_orders:total'],
  ],
  ['explain relationships', 'explain', ['test.model.stg_shop__orders:customer_id.relationships']],
  [
    'is there a column for the gross amount?',
    'search_project',
    expect.arrayContaining(['model.fct_orders:total']),
  ],
])('computes %j', async (question, tool, expected) => {
  const answer = await ask(await viewOf(SHOP_FILES), question)
  expect({ tool: answer.tool, ids: ids(answer) }).toEqual({ tool, ids: expected })
  expect(answer.computedWithoutModel).toBe(true)
  for (const { file, line } of answer.items) {
    expect(Object.keys(SHOP_FILES)).toContain(file)
    expect(line).toBeLessThanOrEqual((SHOP_FILES[file] ?? '').split('\n').length)
  }
})

test('answers each question of its list, every time with the same bytes', async () => {
  const view = await viewOf(SHOP_FILES)
  for (const question of ASKABLE) {
    const answer = await ask(view, question)
    expect(answer.readAs).not.toBe('')
    expect(JSON.stringify(await ask(await viewOf(SHOP_FILES), question))).toBe(JSON.stringify(answer))
  }
})

test.each([
  'how many rows does fct_orders have?',
  'what is the average total?',
  'who wrote fct_orders?',
  'when was fct_orders last run?',
  'why is fct_orders slow?',
  'which models do not use stg_shop__orders?',
  'which models read stg_shop__orders and fct_orders?',
  'does fct_orders read int_orders?',
  'which columns are unused?',
  'which tests fail?',
  'what does lint find in fct_ordres?',
  'which models of int_orders have no tests?',
  'what columns does fct_unicorns have?',
  'what is the weather?',
  'write a model for me',
  'drop fct_orders',
  'hello',
])('refuses %j, with the list of what it can answer', async (question) => {
  const error: unknown = await ask(await viewOf(SHOP_FILES), question).catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(StagecraftError)
  for (const example of ASKABLE) expect(String(error)).toContain(example)
})

test('names what a question may have meant', async () => {
  const view = await viewOf(SHOP_FILES)
  await expect(ask(view, 'where is fct_ordres used?')).rejects.toThrow('the closest name is fct_orders')
  await expect(ask(view, 'where is order_id used?')).rejects.toThrow('3 relations have it')
  await expect(ask(view, ' ')).rejects.toThrow('1 to 1000 characters')
})

test('says which other relation goes by the name', async () => {
  const view = await viewOf({ ...SHOP_FILES, 'models/orders.sql': "select * from {{ ref('int_orders') }}\n" })
  const note =
    'orders is read as model.orders; there is also source.shop.orders: name it by its id to ask about it'
  expect((await ask(view, 'where is orders used?')).notes).toContain(note)
  for (const name of ['model.orders', 'source.shop.orders', 'shop.orders', 'fct_orders'])
    expect((await ask(view, `where is ${name} used?`)).notes.join()).not.toContain('there is also')
})

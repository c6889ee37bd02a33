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
  [
    'Can I safely delete `stg_shop__customers`?',
    'get_impact',
    ['exposure.weekly', 'model.fct_orders', 'test.model.stg_shop__orders:customer_id.relationships'],
  ],
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
  'which models read stg_shop__orders and fct_orders?',
  'does fct_orders read int_orders?',
  'which of these have no tests?',
  'which of those models are tested?',
  'and the marts?',
  'which undocumented columns does it have?',
  'which tests fail?',
  'what does lint find in fct_ordres?',
  'which models of int_orders have no tests?',
  'what columns does fct_unicorns have?',
  'what is the weather?',
  'write a model for me',
  'drop fct_orders',
  'hello',
  'what breaks if shop.orders.vat is dropped?',
])('refuses %j, with a few other questions that this project answers', async (question) => {
  for (const files of [SHOP_FILES, OTHER_FILES]) {
    const view = await viewOf(files)
    const error: unknown = await ask(view, question).catch((fault: unknown) => fault)
    expect(error).toBeInstanceOf(StagecraftError)
    const [, ...examples] = String(error).split('\n  ')
    expect(examples).toHaveLength(6)
    expect(examples).not.toContain(question)
    for (const example of examples) expect((await ask(view, example)).readAs).not.toBe('')
  }
})

/** A project with none of the names of the examples. */
const OTHER_FILES = {
  'dbt_project.yml': 'name: crm\n',
  'models/sources.yml':
    'sources:\n  - name: crm\n    tables:\n      - name: people\n        columns: [{ name: id }, { name: mail }]\n',
  'models/stg_crm__people.sql': "select id as person_id, mail from {{ source('crm', 'people') }}\n",
  'models/stg_crm__people.yml':
    'models:\n  - name: stg_crm__people\n    config: { tags: [daily, pii] }\n    columns:\n      - name: mail\n',
  'models/dim_people.sql':
    "select person_id, mail as customer_email, 1 as customer_name from {{ ref('stg_crm__people') }}\n",
}

test('names what a project lacks, and what it has', async () => {
  const refused = async (files: Record<string, string>, question: string): Promise<string> =>
    String(await ask(await viewOf(files), question).catch((fault: unknown) => fault))
  expect(await refused(OTHER_FILES, 'which models are tagged nightly?')).toContain(
    '; the files of the project set no tag nightly; the tags are daily, pii. It can',
  )
  expect(await refused(OTHER_FILES, 'what breaks if shop.orders.tax is dropped?')).toMatch(
    /; no file of the project has the name shop\.orders\.tax\. .*\n {2}what breaks if crm\.people\.mail is dropped\?\n/,
  )
  expect(await refused(SHOP_FILES, 'what breaks if shop.orders.vat is dropped?')).toContain(
    '; shop.orders has no column vat; its columns are id, customer, amount, tax, deleted. It can',
  )
})

test('searches for columns that have all words, and says so where there are none', async () => {
  const view = await viewOf(OTHER_FILES)
  for (const question of [
    'which column holds the email of the customer?',
    "which column is the customer's email?",
  ]) {
    const email = await ask(view, question)
    expect({ ids: ids(email), notes: email.notes }).toEqual({
      ids: ['model.dim_people:customer_email'],
      notes: [],
    })
  }
  const fax = await ask(view, 'which column holds the fax of the customer?')
  expect({ ids: ids(fax), notes: fax.notes }).toEqual({
    ids: [],
    notes: ['no name or description has what these words say'],
  })
  const nearly = await ask(view, 'which column holds the email of the supplier?')
  expect(ids(nearly)).toEqual(['model.dim_people:customer_email'])
  expect(nearly.notes.join()).toContain('these have some of them')
})

test.each([
  [
    'which staging models are untested?',
    'layer staging, and untested: models of the whole project',
    ['model.stg_shop__customers'],
  ],
  [
    'models without tests and descriptions',
    'untested, and undocumented: models of the whole project',
    ['model.int_orders', 'model.odd', 'model.stg_shop__customers'],
  ],
  [
    'models with a description but no tests',
    'with description, and untested: models of the whole project',
    [],
  ],
  [
    'untested models except staging',
    'untested, and not layer staging: models of the whole project',
    ['model.int_orders', 'model.odd'],
  ],
  [
    'wich modles have at least 2 tests?',
    'more than 1 tests: models of the whole project',
    ['model.stg_shop__orders'],
  ],
  [
    'which exposures depend on stg_shop__customers?',
    'lineage of model.stg_shop__customers: everything made from it; all exposures',
    ['exposure.weekly'],
  ],
  [
    'which marts break if shop.orders is dropped?',
    'what no longer works without source.shop.orders; layer mart: models of the whole project',
    ['model.fct_orders'],
  ],
])('understands %j, and says how', async (question, readAs, expected) => {
  const answer = await ask(await viewOf(SHOP_FILES), question)
  expect({ readAs: answer.readAs, ids: ids(answer) }).toEqual({ readAs, ids: expected })
})

test('counts what is asked for', async () => {
  const view = await viewOf(SHOP_FILES)
  expect((await ask(view, 'how many staging models are untested?')).head).toEqual({ count: 1 })
  expect((await ask(view, 'how many models depend on stg_shop__orders?')).head['count']).toBe(3)
})

test.each([
  ['which macros use stg_shop__orders?', '"all macros" is not understood'],
  ['untested models in the warehouse layer', '"warehouse" is not understood'],
  ['which important models have no tests?', '"important" is not understood'],
  ['models tagged weekly', 'the files of the project set no tag weekly; there is no tag in them'],
  ['models without tests or descriptions', '"descriptions" is not understood'],
  ['models that are not staging views', '"views" is not understood'],
  ['untested models or undocumented marts', '"marts" is not understood'],
  ['models used by macros', '"macro" is not understood'],
  ['tables without a description', '"tables" is not understood'],
  [
    'which of those models are tested?',
    '"of those" refers to another question, but each question is answered on its own',
  ],
  ['and the marts?', '"and" refers to another question, but each question is answered on its own'],
])('refuses %j, and names the word that it cannot follow', async (question, reason) => {
  await expect(ask(await viewOf(SHOP_FILES), question)).rejects.toThrow(reason)
})

test('names what a question may have meant', async () => {
  const view = await viewOf(SHOP_FILES)
  await expect(ask(view, 'where is fct_ordres used?')).rejects.toThrow('the closest name is fct_orders')
  await expect(ask(view, 'where is order_id used?')).rejects.toThrow('3 relations are known to have one')
  await expect(ask(view, ' ')).rejects.toThrow('1 to 1000 characters')
})

test('says which other relation goes by the name', async () => {
  const view = await viewOf({ ...SHOP_FILES, 'models/orders.sql': "select * from {{ ref('int_orders') }}\n" })
  const note =
    'orders is taken to mean model.orders; to ask about another one, use its id: source.shop.orders'
  expect((await ask(view, 'where is orders used?')).notes).toContain(note)
  for (const name of ['model.orders', 'source.shop.orders', 'shop.orders', 'fct_orders'])
    expect((await ask(view, `where is ${name} used?`)).notes.join()).not.toContain('there is also')
})

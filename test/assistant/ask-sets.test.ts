import { ask, type ComputedAnswer } from '@stagecraft/assistant'
import { expect, test } from 'vitest'
import { callTool, places, viewOf } from './views.ts'

/** A project whose columns cannot all be followed, with macros that dbt, hooks, tests and other macros call. */
const FILES = {
  'dbt_project.yml': `name: shop
on-run-start: "{{ open_shop() }}"
models:
  shop:
    marts:
      +schema: sales
`,
  'models/sources.yml': `sources:
  - name: shop
    schema: raw_shop
    tables: [{ name: users }, { name: orders }]
`,
  'models/properties.yml': `models:
  - name: int_users
    config: { meta: { owner: Ann } }
    columns:
      - name: id
        description: The key.
      - name: email_address
        data_tests: [not_null]
  - name: dim_users
    config: { group: sales }
    data_tests:
      - unique: { arguments: { column_name: id } }
    columns:
      - name: plan
        data_tests: [positive]
groups:
  - name: sales
    owner: { name: Bob, email: bob@shop.example }
macros:
  - name: lonely
    description: Is called by nothing.
`,
  'models/stg_users.sql': "select * from {{ source('shop', 'users') }}\n",
  'models/int_users.sql':
    "with users as (select * from {{ ref('stg_users') }})\nselect id, email_address from users\n",
  'models/marts/dim_users.sql': "select\n    id,\n    {{ half('1') }} as plan\nfrom {{ ref('int_users') }}\n",
  'models/fct_orders.sql': `with orders as (select * from {{ source('shop', 'orders') }})
select orders.*, users.email_address
from orders
left join {{ ref('int_users') }} as users on users.id = orders.user_id
`,
  'models/fct_all.sql': "with orders as (select * from {{ ref('fct_orders') }})\nselect * from orders\n",
  'macros/all.sql': `{% macro half(x) %}{{ x }} / {{ two() }}{% endmacro %}
{% macro two() %}2{% endmacro %}
{% macro lonely() %}3{% endmacro %}
{% macro open_shop() %}{% endmacro %}
{% macro generate_alias_name(custom_alias_name, node) %}x{% endmacro %}
{% macro duckdb__create_schema(relation) %}x{% endmacro %}
{% macro day(x) %}{{ return(adapter.dispatch('day')(x)) }}{% endmacro %}
{% macro default__day(x) %}{{ x }}{% endmacro %}
{% macro test_positive(model, column_name) %}select 1{% endmacro %}
{% macro handed_on() %}4{% endmacro %}
{% macro caller_of() %}{% set f = handed_on %}{{ f() }}{% endmacro %}
`,
}

const view = viewOf(FILES)
const answerTo = async (question: string): Promise<ComputedAnswer> => ask(await view, question)
const ids = ({ items }: ComputedAnswer): readonly string[] => items.map(({ id }) => id).toSorted()

test('lists columns with their places, and says of which relations there may be more', async () => {
  const input = { gap: 'undocumented', kinds: ['column'], where: ['of=model.int_users or of=dim_users'] }
  expect(await places(await view, 'list_gaps', input)).toEqual([
    'model.int_users:email_address models/int_users.sql:2',
    'model.dim_users:id models/marts/dim_users.sql:2',
    'model.dim_users:plan models/marts/dim_users.sql:3',
  ])
  const { items, notes } = await answerTo('undocumented columns of fct_all')
  expect(items).toEqual([])
  expect(notes).toEqual(['fct_all may have more columns: the columns of fct_orders are not known'])
})

test('says yes or no, and lists the values that it was asked for', async () => {
  expect((await answerTo('does dim_users depend on shop.users?')).head).toEqual({ answer: 'yes' })
  expect((await answerTo('does dim_users depend on shop.orders?')).head).toEqual({ answer: 'no' })
  expect((await answerTo('who are the owners?')).head).toEqual({ owners: ['Ann', 'Bob', 'bob@shop.example'] })
})

test('does not say that a model lacks an input, if its references are only known when dbt runs', async () => {
  const dynamic = { ...FILES, 'models/stg_any.sql': "select * from {{ ref(var('which')) }}\n" }
  const answer = await ask(await viewOf(dynamic), 'which models do not depend on int_users?')
  expect(ids(answer)).toEqual(['model.int_users', 'model.stg_users'])
  expect(answer.notes).toEqual(['stg_any: its upstream is not known'])
})

test('counts a test that names its column at the model as a test of the column', async () => {
  expect(ids(await answerTo('which columns of dim_users are untested?'))).toEqual([])
  expect(ids(await answerTo('untested columns of dim_users and int_users'))).toEqual(['model.int_users:id'])
})

test.each([
  ['undocumented columns in models/marts', ['model.dim_users:id', 'model.dim_users:plan']],
  ['untested or undocumented columns of int_users', ['model.int_users:email_address', 'model.int_users:id']],
  ['pii columns', ['model.fct_orders:email_address', 'model.int_users:email_address']],
  ['which columns have a not_null test?', ['model.int_users:email_address']],
  ['undocumented columns of models in the schema sales', ['model.dim_users:id', 'model.dim_users:plan']],
  ['models without untested columns', ['model.dim_users']],
  ['which models are owned by Ann?', ['model.int_users']],
  ['models owned by Bob', ['model.dim_users']],
  ['sources in the schema raw_shop', ['source.shop.orders', 'source.shop.users']],
  ['which model has the most parents?', ['model.fct_orders']],
  ['which model has the fewest children?', ['model.dim_users', 'model.fct_all']],
  ['most used model', ['model.int_users']],
  ["which models don't depend on stg_users?", ['model.stg_users']],
  ['which models depend on both shop.users and shop.orders?', ['model.fct_all', 'model.fct_orders']],
  ['models that read the model int_users but not shop.orders', ['model.dim_users']],
  [
    'which models are built on neither fct_orders nor shop.orders?',
    ['model.dim_users', 'model.int_users', 'model.stg_users'],
  ],
  ['which models in models/marts do not read fct_orders?', ['model.dim_users']],
  ['untested models that depend on int_users', ['model.fct_all', 'model.fct_orders']],
  ['which models depend on int_users and are in the group sales?', ['model.dim_users']],
  ['which models read shop tables?', ['model.fct_orders', 'model.stg_users']],
  ['which models read directly from a source?', ['model.fct_orders', 'model.stg_users']],
  ['models that do not feed dim_users', ['model.dim_users', 'model.fct_all', 'model.fct_orders']],
  ['sources not used by any model', []],
  ['which models are used by fct_orders?', ['model.int_users']],
  ['what is read by fct_orders?', ['model.int_users', 'source.shop.orders']],
  [
    'which columns are called email_address?',
    ['model.fct_orders:email_address', 'model.int_users:email_address'],
  ],
  ['which models have an id column?', ['model.dim_users', 'model.int_users']],
  ['list all owners', ['model.dim_users', 'model.int_users']],
  ['which groups do we have?', ['model.dim_users']],
  ['does dim_users depend on shop.users?', ['model.int_users', 'model.stg_users', 'source.shop.users']],
  ['is there a path from shop.orders to dim_users?', []],
  [
    'tests of dim_users and int_users',
    expect.arrayContaining(['test.model.int_users:email_address.not_null']),
  ],
])('answers %j', async (question, expected) => {
  expect(ids(await answerTo(question))).toEqual(expected)
})

test.each([
  'what does half use?',
  'not_null columns of int_users',
  'which not_null tests does int_users have?',
  'columns of untested models',
  'columns of models without tests',
  'undocumented columns in undocumented models',
  'which model has the most rows?',
  'second most used model',
  'how many tests do dim_users and int_users have?',
  'tests that dim_users has and int_users lacks',
  'models that nobody documented or tested',
  'which models are downstream of shop.users and shop.orders',
  'models that do not read stg_users and int_users',
  'which models have a numeric column?',
  'what calls dim_users?',
  'what breaks if the macro two is removed?',
])('refuses %j, which can be meant in several ways or is not known', async (question) => {
  await expect(answerTo(question)).rejects.toThrow(
    'expected a question that can be answered without a language model',
  )
})

test('the most and the fewest are of known numbers, and the others are noted', async () => {
  const { items, notes } = await answerTo('which model has the most columns?')
  expect(items).toMatchObject([
    { id: 'model.int_users', text: 'columns: 2' },
    { id: 'model.dim_users', text: 'columns: 2' },
  ])
  expect(notes).toContain('fct_all is left out: the number of its columns is not known')
  const rank = callTool(await view, 'list_gaps', { rank: 'most layers' })
  await expect(rank).rejects.toThrow('rank: expected most or fewest, and one of tests, readers,')
})

test('finds the callers of macros, through other macros too', async () => {
  const { items } = await answerTo('what uses the macro two?')
  expect(items).toMatchObject([
    { id: 'macro.half', file: 'macros/all.sql', line: 1 },
    {
      id: 'model.dim_users',
      file: 'models/marts/dim_users.sql',
      line: 3,
      text: expect.stringContaining('through half'),
    },
  ])
  expect(ids(await answerTo('which models call half?'))).toEqual(['model.dim_users'])
  expect(ids(await answerTo('what calls open_shop?'))).toEqual(['properties.dbt_project.yml'])
  const { notes } = await answerTo('where is generate_alias_name used?')
  expect(notes).toEqual(['generate_alias_name: dbt calls it'])
})

test('macros that dbt, hooks, tests and dispatch use are not unused, nor are those that files only name', async () => {
  const { items, notes } = await answerTo('unused macros')
  expect(items).toMatchObject([
    { id: 'macro.lonely', file: 'macros/all.sql', line: 3 },
    { id: 'macro.day', line: 7 },
    { id: 'macro.caller_of', line: 11 },
  ])
  expect(notes).toEqual([
    'test_positive: its readers are not known',
    'handed_on: its readers are not known',
    'the list includes macros that only packages or `dbt run-operation` call',
  ])
})

test('follows a column of which not all is known as far as it can, and never denies it', async () => {
  const known = await answerTo('where does email_address in fct_orders come from?')
  expect(ids(known)).toEqual([
    'model.int_users:email_address',
    'model.stg_users:email_address',
    'source.shop.users:email_address',
  ])
  const unknown = await answerTo('where does email_address in fct_all come from?')
  expect(ids(unknown)).toEqual(['model.fct_orders:email_address', ...ids(known)])
  expect(unknown.notes).toEqual([
    'fct_all is not known to have a column email_address: not all of its columns are known',
  ])
  const used = await answerTo('where is email_address of fct_orders used?')
  expect(used.notes).toEqual(['fct_all may read it: the columns of fct_orders are not known'])
  await expect(answerTo('where does user_id come from?')).rejects.toThrow(
    'models/fct_orders.sql:4 has user_id, but it is not known to be the name of a relation',
  )
  await expect(answerTo('where does zip_code come from?')).rejects.toThrow(
    'no file of the project has the name zip_code',
  )
})

test('what is made of something goes down, and what something is made of goes up', async () => {
  expect(ids(await answerTo('what is made of int_users?'))).toContain('model.fct_all')
  expect(ids(await answerTo('what is int_users made of?'))).toEqual(['model.stg_users', 'source.shop.users'])
})

test('kinds behind the name of a relation choose, and are not passed over', async () => {
  expect(ids(await answerTo('which raw tables are upstream of dim_users?'))).toEqual(['source.shop.users'])
  expect(ids(await answerTo('what is upstream of the model dim_users?'))).toHaveLength(3)
})

test('lists columns that nothing reads, and says whose readers are not known', async () => {
  const files = {
    'models/stg_a.sql': 'select 1 as id, 2 as joined, 3 as filtered, 4 as passed, 5 as shown, 6 as unread',
    'models/stg_b.sql': 'select 1 as id, 2 as joined',
    'models/int_c.sql':
      "select stg_a.id, stg_a.shown from {{ ref('stg_a') }} join {{ ref('stg_b') }} using (joined) where stg_a.filtered > 0",
    'models/int_d.sql': "with a as (select * from {{ ref('stg_a') }}) select passed as kept from a",
    'snapshots/s.sql': "{% snapshot s %}select * from {{ ref('int_d') }}{% endsnapshot %}",
    'models/e.yml':
      "exposures: [{name: board, type: dashboard, owner: {name: Ann Lee}, depends_on: [ref('int_c')]}]",
  }
  const { items, notes } = await ask(await viewOf(files), 'unused columns')
  expect(items.map(({ id }) => id).filter((id) => id.startsWith('model.'))).toEqual([
    'model.stg_a:unread',
    'model.stg_b:id',
  ])
  expect(notes).toContain('int_c: the readers are not known for some or all of its columns')
  const owned = await ask(await viewOf(files), 'which dashboards does Ann Lee own?')
  expect(ids(owned)).toEqual(['exposure.board'])
})

test('tells tags, owners and contracts that SQL, folders and groups set', async () => {
  const files = {
    'dbt_project.yml': 'name: shop\nmodels: {shop: {+tags: [daily]}}\n',
    'models/a.sql':
      "{{ config(contract={'enforced': true}, tags=['pii'], meta={'owner': 'Ines'}) }} select 1 as id",
  }
  const { head } = await ask(await viewOf(files), 'who owns model.a?')
  expect(head['config']).toMatchObject({
    tag: 'pii, daily',
    owner: 'Ines',
    contract: 'yes',
    description: 'no',
  })
})

test('the severity of a test is its own, else that of the project for its folder; what Jinja decides is left out and noted', async () => {
  const files = {
    'dbt_project.yml': `name: shop
data_tests:
  shop:
    marts: { +severity: warn }
    odd: { +severity: "{{ 'warn' if target.name == 'ci' else 'error' }}" }
`,
    'models/a.yml': `models:
  - name: a
    columns:
      - { name: id, data_tests: [unique, { not_null: { config: { severity: WARN } } }] }
`,
    'models/marts/b.yml': `models:
  - name: b
    columns:
      - { name: id, data_tests: [unique, { not_null: { severity: error } }] }
`,
    'models/odd/c.yml': 'models: [{ name: c, columns: [{ name: id, data_tests: [unique] }] }]\n',
    'models/a.sql': 'select 1 as id\n',
    'models/marts/b.sql': "select id from {{ ref('a') }}\n",
    'models/odd/c.sql': "select id from {{ ref('a') }}\n",
    'tests/one.sql':
      "{{ config(severity='warn') }}\nselect * from {{ ref('a') }} join {{ ref('b') }} using (id)\n",
  }
  const answer = await ask(await viewOf(files), 'which tests have severity warn?')
  expect(ids(answer)).toEqual(['test.model.a:id.not_null', 'test.model.b:id.unique', 'test.one'])
  expect(answer.notes).toEqual(['unique: its severity is not known'])
})

test('downstream models are counted at all distances, and snapshots are none', async () => {
  const view = viewOf({
    'models/first.sql': 'select 1 as id',
    'models/second.sql': "select id from {{ ref('first') }}",
    'models/third.sql': "select id from {{ ref('second') }}",
    'models/other.sql': 'select 1 as id',
    'snapshots/old.sql':
      "{% snapshot old %}{{ config(unique_key='id', strategy='check', check_cols='all') }}select * from {{ ref('other') }}{% endsnapshot %}",
  })
  const most = await ask(await view, 'which model has the most downstream models?')
  expect(JSON.stringify(most)).toContain('"id":"model.first"')
  const none = await ask(await view, 'which models have no downstream models?')
  expect(JSON.stringify(none)).toContain('"id":"model.other"')
  expect(JSON.stringify(none)).toContain('"id":"model.third"')
  expect(JSON.stringify(none)).not.toContain('"id":"model.second"')
})

import { memoryTree } from '@stagecraft/dbt'
import { expect, test } from 'vitest'
import { readLintProject } from '../project/read-lint-project.ts'
import { loadSqlStructure, type StructureOptions } from './load-structure.ts'
import type { ColumnRead, ModelStructure, ReadStructure } from './sql-structure.ts'

type Files = Readonly<Record<string, string>>

async function structureOf(
  files: Files,
  name: string,
  options: StructureOptions = {},
): Promise<ModelStructure> {
  const project = await readLintProject(
    memoryTree({
      'dbt_project.yml':
        'name: shop\nvars: {kinds: [a, b], orders: "{{ ref(\'a\') }}", again: "{{ var(\'again\') }}"}\n',
      ...files,
    }),
  )
  const structure = await loadSqlStructure(project, options)
  const model = project.index.models.find((one) => one.name === name)
  if (!model) throw new Error(`no model ${name}`)
  return structure.of(model)
}

async function readOf(
  sql: string,
  files: Files = {},
  options: StructureOptions = {},
): Promise<ReadStructure> {
  const found = await structureOf({ 'models/m.sql': sql, ...files }, 'm', options)
  if (found.status !== 'read') throw new Error(found.reason)
  return found
}

function printRead({ column, relation }: ColumnRead): string {
  const name =
    relation.kind === 'source'
      ? `${relation.source}.${relation.table}`
      : relation.kind === 'model'
        ? relation.model.name
        : relation.name
  return `${name}.${column}`
}

function print({ columns }: ReadStructure): readonly string[] {
  return columns.map(
    ({ casts, isSourceComplete, kind, name, sources }) =>
      `${name}: ${kind} ${sources.map(printRead).join(' ')}${isSourceComplete ? '' : ' …'}${casts.map(({ isSafe, type }) => ` ${isSafe ? 'try ' : ''}${type}`).join('')}`,
  )
}

const STAGING = `with source as (
    select * from {{ source('shop', 'orders') }}
),
renamed as (
    select id as order_id, cast(amount as decimal(10, 2)) as amount, lower(email) as email, "Status"::text as status
    from source
)
select * from renamed`

test('finds columns through common table expressions, with the columns of the relation and where they stand', async () => {
  const found = await readOf(STAGING)
  expect(print(found)).toEqual([
    'order_id: direct shop.orders.id',
    'amount: cast shop.orders.amount decimal(10, 2)',
    'email: expression shop.orders.email',
    'status: cast shop.orders.Status text',
  ])
  expect(found.gaps).toEqual([])
  const text = (place: { readonly start: number; readonly end: number } | undefined): string =>
    STAGING.slice(place?.start, place?.end)
  expect(found.columns.map(({ place, sources: [first] }) => [text(place), text(first?.place)])).toEqual([
    ['order_id', 'id'],
    ['amount', 'amount'],
    ['email', 'email'],
    ['status', '"Status"'],
  ])
  expect(found.stars).toEqual([])
})

test('expands the columns of models, of tables that are known, and says what is not', async () => {
  const files = { 'models/a.sql': 'select 1 as id, 2 as b', 'models/c.py': 'def model(dbt, session): pass' }
  const found = await readOf(
    "select a.*, s.* from {{ ref('a') }} a join {{ source('x', 'y') }} s using (id)",
    files,
    {
      rawColumns: () => ['id', 'z'],
    },
  )
  expect(print(found)).toEqual(['id: direct a.id', 'b: direct a.b', 'id: direct x.y.id', 'z: direct x.y.z'])
  const open = await readOf("select *, id as again from {{ ref('c') }}", files)
  expect(print(open)).toEqual(['again: direct c.id'])
  expect(open.gaps).toEqual(['the columns of c are not known'])
  expect(open.stars).toMatchObject([{ start: 'select '.length, end: 'select *'.length }])
})

test.each([
  ['a.id b.a_id a.b', "select a.b from {{ ref('a') }} a join {{ ref('b') }} b on a.id = b.a_id"],
  ['a.id c.id c.z', "select z from {{ ref('a') }} join {{ ref('c') }} using (id)"],
  ['a.id c.id c.z', "select z from {{ ref('a') }} natural join {{ ref('c') }}"],
  [
    'a.id c.id b.a_id a.id b.x',
    "select x from ({{ ref('a') }} join {{ ref('c') }} using (id)) join {{ ref('b') }} on b.a_id = a.id",
  ],
  ['a.id b.a_id', "select a.id from {{ ref('a') }} join {{ ref('b') }} on b.a_id = A.id"],
  ['e.id x.y.id', "select e.id from {{ ref('e') }} as e join {{ source('x', 'y') }} on y_raw.id = e.id"],
  ['e.id', "select other_name.* from {{ ref('e') }} where other_name.id > 1"],
  [
    'd.id a.id a.b',
    "with d as (select id from {{ ref('d') }}) select b from d left join {{ ref('a') }} using (id)",
  ],
])('columns of joins are read: %s', async (expected, sql) => {
  const { reads } = await readOf(sql, {
    'models/a.sql': 'select 1 as id, 2 as b',
    'models/b.sql': 'select 1 as a_id, 2 as x',
    'models/c.sql': 'select 1 as id, 2 as z',
    'models/d.py': 'def model(dbt, session): pass',
    'models/e.sql': "{{ config(alias='Other_name') }} select 1 as id",
    'models/x.yml': 'sources: [{name: x, tables: [{name: y, identifier: y_raw}]}]',
  })
  expect(new Set(reads.map(printRead))).toEqual(new Set(expected.split(' ')))
})

test('a natural join gives shared columns once', async () => {
  const found = await readOf("select * from {{ ref('a') }} natural join {{ ref('c') }}", {
    'models/a.sql': 'select 1 as id, 2 as b',
    'models/c.sql': 'select 1 as id, 2 as z',
  })
  expect(print(found)).toEqual(['id: direct a.id', 'b: direct a.b', 'z: direct c.z'])
})

test.each([
  [
    'unqualified columns of a join',
    "select x, id from {{ ref('a') }} join {{ ref('b') }} on a.id = b.a_id",
    ['x: direct b.x', 'id: direct a.id'],
  ],
  [
    'a union',
    "select id, b from {{ ref('a') }} union all select a_id, x from {{ ref('b') }}",
    ['id: direct a.id b.a_id', 'b: direct a.b b.x'],
  ],
  [
    'a subquery in an expression',
    "select (select max(x) from {{ ref('b') }} where a_id = id) as m from {{ ref('a') }}",
    ['m: expression b.x'],
  ],
  ['a star without some', "select * exclude (b) from {{ ref('a') }}", ['id: direct a.id']],
  [
    'a star with some replaced',
    "select * replace (b + 1 as b) from {{ ref('a') }}",
    ['id: direct a.id', 'b: expression a.b'],
  ],
  [
    'an alias that is used again',
    "select b as c, c + 1 as d from {{ ref('a') }}",
    ['c: direct a.b', 'd: expression a.b'],
  ],
  [
    'window functions',
    "select row_number() over (partition by id order by b) as n from {{ ref('a') }}",
    ['n: expression a.id a.b'],
  ],
  [
    'names of a common table expression',
    "with t(p, q) as (select id, b from {{ ref('a') }}) select q from t",
    ['q: direct a.b'],
  ],
  [
    'recursion',
    "with recursive t as (select id, b from {{ ref('a') }} union all select t.id, t.b + 1 from t) select * from t",
    ['id: direct a.id', 'b: expression a.b'],
  ],
  [
    'loops',
    "select {% for k in var('kinds') %}max(case when b = '{{ k }}' then id end) as {{ k }}_id{{ ',' if not loop.last }} {% endfor %} from {{ ref('a') }}",
    ['a_id: expression a.b a.id', 'b_id: expression a.b a.id'],
  ],
  [
    'a macro of the project',
    "select {{ cents('b') }} as d, {{ names('id') }} from {{ ref('a') }}",
    ['d: expression a.b', 'id: direct a.id', 'id_2: direct a.id'],
  ],
  [
    'a macro with a value',
    "select {% for c in list_of() %}{{ c }}{% if not loop.last %},{% endif %}{% endfor %} from {{ ref('a') }}",
    ['id: direct a.id', 'b: direct a.b'],
  ],
  [
    'a macro that is dispatched',
    "select {{ shop.spread('b') }} as s from {{ ref('a') }}",
    ['s: expression a.b'],
  ],
  [
    'a macro of dbt_utils',
    "select {{ dbt_utils.generate_surrogate_key(['id', 'b']) }} as k, {{ dbt.safe_cast('b', api.Column.translate_type('string')) }} as t from {{ ref('a') }}",
    ['k: expression a.id a.b', 't: cast a.b try stagecraft_unknown()'],
  ],
  [
    'a macro that nobody knows',
    "select id, {{ other.thing('b') }} as t from {{ ref('a') }}",
    ['id: direct a.id', 't: expression  …'],
  ],
  [
    'a branch that only filters',
    "select id from {{ ref('a') }} {% if target.name == 'dev' %} where id < 10 {% endif %}",
    ['id: direct a.id'],
  ],
  [
    'branches that filter in one way or another',
    "select id from {{ ref('a') }} {% if target.name == 'dev' %} -- some\n where id < 10 {% else %} /* all */ {% endif %}",
    ['id: direct a.id'],
  ],
  ['references in variables', "select id from {{ var('orders') }}", ['id: direct a.id']],
  [
    'clauses and expressions of packages',
    "select id, {{ fivetran_utils.string_agg(field_to_agg='b', delimiter=\"', '\") }} as bs from {{ ref('a') }} {{ dbt_utils.group_by(n=1) }}",
    ['id: direct a.id', 'bs: expression a.b'],
  ],
  [
    'incremental models',
    "{{ config(materialized='incremental') }} select id from {{ ref('a') }} {% if is_incremental() %} where x > (select max(x) from {{ this }}) {% endif %}",
    ['id: direct a.id'],
  ],
])('reads %s', async (_, sql, columns) => {
  const found = await readOf(sql, {
    'models/a.sql': 'select 1 as id, 2 as b',
    'models/b.sql': 'select 1 as a_id, 3 as x',
    'macros/m.sql': `{% macro cents(c) %}({{ c }} / 100){% endmacro %}
{%- macro names(c) %}{{ c }}, {{ c }} as {{ c }}_2{% endmacro -%}
{% macro list_of() %}{% set all = [] %}{% do all.append('id') %}{% do all.append('b') %}{{ return(all) }}{% endmacro %}
{% macro spread(c) %}{{ return(adapter.dispatch('spread', 'shop')(c)) }}{% endmacro %}
{% macro default__spread(c) %}abs({{ c }}){% endmacro %}`,
  })
  expect(found.gaps).toEqual([])
  expect(print(found)).toEqual(columns)
})

test.each([
  [
    'a list that is only known later',
    "select id, {{ dbt_utils.star(ref('a')) }} from {{ ref('a') }}",
    /dbt_utils.star/,
  ],
  [
    'a branch on what is not known',
    "{% if target.name == 'dev' %}select 1 as id{% else %}select 2 as x{% endif %}",
    /target.name/,
  ],
  [
    'a branch that filters beside one that does not',
    "select 1 as id {% if target.name == 'dev' %} where true {% else %} , 2 as x {% endif %}",
    /target.name/,
  ],
  [
    'a branch that opens with a comment',
    "select 1 as id {% if target.name == 'dev' %} -- for tests\n , 2 as x {% endif %}",
    /target.name/,
  ],
  [
    'a query',
    "{% set r = run_query('x') %}{% for i in r %}select {{ i }} as a{% endfor %} select 1 as b",
    /run_query/,
  ],
  ['an expression without a name', 'select 1 + 1', /no name/],
  ['a function of rows', 'select * from range(10)', /not known/],
  ['a pivot', "select * from {{ ref('a') }} pivot (sum(b) for id in (1, 2))", /not known/],
])('says what is missing for %s', async (_, sql, gap) => {
  const found = await readOf(sql, { 'models/a.sql': 'select 1 as id, 2 as b' })
  expect(found.gaps.join()).toMatch(gap)
})

test.each([
  ['Jinja that is never closed', 'select {{ 1', /never closed/],
  [
    'a loop without end',
    '{% for a in range(1000) %}{% for b in range(1000) %}{% for c in range(1000) %}{% set x = 1 %}{% endfor %}{% endfor %}{% endfor %}',
    /steps/,
  ],
  ['a macro that calls itself', '{% macro f() %}{{ f() }}{% endmacro %}select {{ f() }} as a', /too deep/],
  ['a variable that holds itself', "select {{ var('again') }} as a", /too deep/],
  [
    'a branch on what is not known that leaves no SQL',
    "select 1 as a {% if target.name == 'dev' %} union all {% endif %} select 2 as a",
    /target.name/,
  ],
  ['too much text', "{% set x = 'a' * 3000000 %}select 1 as a", /too long/],
  [
    'a text that doubles',
    "{% set ns = namespace(t='aaaaaaaa') %}{% for i in range(40) %}{% set ns.t = ns.t ~ ns.t %}{% endfor %}",
    /too long/,
  ],
  ['what is no SQL', 'select from where', /parsed/],
  ['two statements', 'select 1 as a; select 2 as b', /more than one/],
  ['an error of the project', "{{ exceptions.raise_compiler_error('never mind') }}", /never mind/],
  ['nothing', '{{ config(enabled=false) }}', /no SQL/],
])('does not read %s', async (_, sql, reason) => {
  const found = await structureOf({ 'models/m.sql': sql }, 'm')
  expect(found).toMatchObject({ status: 'unread' })
  expect('reason' in found ? found.reason : '').toMatch(reason)
})

test('templates reach nothing of the host', async () => {
  const sql = `select '{{ "".constructor.constructor("return process")() }}' as a, '{{ ref.call }}' as b, '{{ config.constructor }}' as c,
    '{{ [].__proto__ }}' as d, '{{ {}.__proto__.polluted }}' as e, '{{ this.memberOf }}' as f`
  const found = await structureOf({ 'models/m.sql': sql }, 'm')
  expect(found.status).toBe('read')
  const project = await readLintProject(
    memoryTree({ 'dbt_project.yml': 'name: shop\n', 'models/m.sql': sql }),
  )
  const { modelRenderer } = await import('./render-model.ts')
  const [model] = project.index.models
  if (!model) throw new Error('no model')
  const rendered = modelRenderer(project, true).render(model, sql).sql
  expect(rendered).toMatch(
    /select 'stagecraft_unknown\(\)' as a, '' as b, '' as c,\s+'' as d, '' as e, 'stagecraft_unknown\(\)' as f/,
  )
})

test('macros of strangers are not worked out', async () => {
  const files = { 'macros/m.sql': '{% macro one() %}1 as id{% endmacro %}' }
  const found = await readOf('select {{ one() }}', files, { macros: false })
  expect(found.columns).toEqual([])
  expect(found.gaps.join()).toContain('the macro one')
})

test('says how to install the parser when it is not there', async () => {
  const load = structureOf({ 'models/m.sql': 'select 1 as a' }, 'm', {
    loadParser: () => Promise.reject(new Error('no such package')),
  })
  await expect(load).rejects.toThrow(/@polyglot-sql\/sdk/)
})

test('reads the header of a seed by its delimiter, and none where folders may configure one', async () => {
  const files = {
    'seeds/a.csv': 'id;name\n1;x\n',
    'seeds/b.csv': 'id;name\n1;x\n',
    'seeds/c.csv': 'id,"the name"\n1,x\n',
    'seeds/seeds.yml': 'seeds:\n  - name: a\n    config:\n      delimiter: ";"\n',
  }
  const { index, structure } = await readLintProject(
    memoryTree({ 'dbt_project.yml': 'name: shop\n', ...files }),
    { structure: true },
  )
  const columnsOf = (name: string): unknown => {
    const found = index.models.filter((one) => one.name === name).map(structure.of)[0]
    return found?.status === 'read' ? found.columns.map((column) => column.name) : found?.reason
  }
  expect(columnsOf('a')).toEqual(['id', 'name'])
  expect(columnsOf('b')).toBe('its header cannot be read')
  expect(columnsOf('c')).toEqual(['id', 'the name'])
})

test('tells several snapshots in one file apart, with the columns that dbt adds under their names', async () => {
  const block = (name: string, config: string, sql: string): string =>
    `{% snapshot ${name} %}\n{{ config(unique_key='id', strategy='check', check_cols='all'${config}) }}\n${sql}\n{% endsnapshot %}\n`
  const files = {
    'snapshots/all.sql': `${block('first', '', 'select 1 as id')}${block('second', ", hard_deletes='new_record'", 'select 2 as other')}`,
    'snapshots/s.yml':
      'snapshots:\n  - name: first\n    config:\n      snapshot_meta_column_names: { dbt_valid_from: since }\n',
  }
  const columnsOf = async (name: string): Promise<readonly string[]> => {
    const found = await structureOf(files, name)
    if (found.status !== 'read') throw new Error(found.reason)
    return found.columns.map((column) => column.name)
  }
  expect(await columnsOf('first')).toEqual(['id', 'dbt_scd_id', 'dbt_updated_at', 'since', 'dbt_valid_to'])
  expect(await columnsOf('second')).toEqual([
    'other',
    'dbt_scd_id',
    'dbt_updated_at',
    'dbt_valid_from',
    'dbt_valid_to',
    'dbt_is_deleted',
  ])
})

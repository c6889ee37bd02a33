// Common shapes of models, tests and sources in dbt projects, written by hand: imports and renames, loops, macros of packages, filters, places
// that Jinja works out. Each says if the rule finds something. `labelled-hits.json` has the verdicts.
import { RULES } from '@stagecraft/analysis'
import { expect, test } from 'vitest'
import { type Files, lintFiles } from './lint-project.ts'

const FOLDER = 'models/staging/shop'
const RAW = "{{ source('shop', 'orders') }}"
const SOURCES = 'sources:\n  - name: shop\n    tables:\n      - name: orders\n'

const columnsOf = (names: string): object[] => names.split(' ').map((name) => ({ name, type: 'varchar' }))

/** A model of orders, whose table had other columns when it was generated. */
function changed(former: string, now: string, sql: string, more: Files = {}): Files {
  const table = (columns: string): object => ({ schema: 'shop', name: 'orders', columns: columnsOf(columns) })
  return {
    [`${FOLDER}/sources.yml`]: SOURCES,
    ...(sql !== '' && { [`${FOLDER}/stg_shop__orders.sql`]: `${sql.replaceAll('RAW', RAW)}\n` }),
    'former-tables.json': JSON.stringify({ 'shop.orders': table(former) }),
    'raw-tables.json': JSON.stringify([table(now)]),
    ...more,
  }
}

interface Tested {
  readonly sql?: string
  readonly given?: string
  readonly values?: readonly unknown[]
  /** The tested column of the model. */
  readonly column?: string
  readonly type?: string
  readonly sources?: string
  readonly more?: Files
}

/** A model with a test, and the values that its raw table lists. */
function tested({
  column = 'status',
  given = 'accepted_values: { values: [open, paid] }',
  more = {},
  sources = SOURCES,
  sql = 'select id as order_id, status from RAW',
  type = 'varchar',
  values = ['open', 'paid', 'void'],
}: Tested): Files {
  const columns = [
    { name: 'id', type: 'integer' },
    { name: 'deleted', type: 'boolean' },
    { name: 'status', type, values },
  ]
  return {
    [`${FOLDER}/sources.yml`]: sources,
    [`${FOLDER}/models.yml`]: `models:
  - name: stg_shop__orders
    columns:
      - name: ${column}
        tests:
          - ${given}
`,
    [`${FOLDER}/stg_shop__orders.sql`]: `${sql.replaceAll('RAW', RAW)}\n`,
    'raw-tables.json': JSON.stringify([{ schema: 'shop', name: 'orders', columns }]),
    ...more,
  }
}

/** Two sources in two files. */
function sources(first: string, second: string, project = ''): Files {
  return {
    'dbt_project.yml': `name: shop\n${project}`,
    'models/a.yml': `sources:\n  - ${first}\n`,
    'models/b.yml': `sources:\n  - ${second}\n`,
  }
}

const tables = (...all: readonly string[]): string => `tables: [${all.join(', ')}]`

const BEFORE = 'id total'
const AFTER = 'id total coupon'

test.each<readonly [rule: string, what: string, isFound: boolean, files: Files]>([
  [
    'SC102',
    'import, renamed, final',
    true,
    changed(
      BEFORE,
      AFTER,
      'with source as (select * from RAW), renamed as (select id as order_id, total from source) select * from renamed',
    ),
  ],
  [
    'SC102',
    'dbt_utils.star',
    false,
    changed(BEFORE, AFTER, "select {{ dbt_utils.star(from=source('shop', 'orders')) }} from RAW"),
  ],
  [
    'SC102',
    'star with except',
    false,
    changed(
      BEFORE,
      AFTER,
      "select {{ dbt_utils.star(from=source('shop', 'orders'), except=['total']) }} from RAW",
    ),
  ],
  [
    'SC102',
    'loop over a list',
    true,
    changed(
      BEFORE,
      AFTER,
      "{% set cols = ['id', 'total'] %}select {% for c in cols %}{{ c }}{{ ',' if not loop.last }}{% endfor %} from RAW",
    ),
  ],
  [
    'SC102',
    'columns from the relation',
    false,
    changed(
      BEFORE,
      AFTER,
      "{% set cols = adapter.get_columns_in_relation(source('shop', 'orders')) %}select {% for c in cols %}{{ c.name }},{% endfor %} from RAW",
    ),
  ],
  [
    'SC102',
    'fivetran fill',
    false,
    changed(
      BEFORE,
      AFTER,
      "with base as (select * from {{ ref('stg_shop__orders_tmp') }}), fields as (select {{ fivetran_utils.fill_staging_columns(source_columns=adapter.get_columns_in_relation(ref('stg_shop__orders_tmp')), staging_columns=get_orders_columns()) }} from base) select id, total from fields",
      { [`${FOLDER}/tmp/stg_shop__orders_tmp.sql`]: `select * from ${RAW}\n` },
    ),
  ],
  [
    'SC102',
    'python model',
    false,
    {
      ...changed(BEFORE, AFTER, ''),
      [`${FOLDER}/stg_shop__orders.py`]:
        "def model(dbt, session):\n    return dbt.source('shop', 'orders')\n",
    },
  ],
  [
    'SC102',
    'dedup with qualify',
    true,
    changed(
      BEFORE,
      AFTER,
      'select id, total from RAW qualify row_number() over (partition by id order by total) = 1',
    ),
  ],
  [
    'SC102',
    'snapshot takes all',
    false,
    changed(BEFORE, AFTER, 'select id, total from {{ ref("orders_snapshot") }}', {
      'snapshots/o.sql': `{% snapshot orders_snapshot %}{{ config(unique_key='id', strategy='check', check_cols='all') }}select * from ${RAW}{% endsnapshot %}\n`,
    }),
  ],
  [
    'SC102',
    'json column new',
    true,
    changed(BEFORE, AFTER, 'select id, total::numeric as total from RAW where total is not null'),
  ],
  [
    'SC102',
    'incremental',
    true,
    changed(
      BEFORE,
      AFTER,
      "{{ config(materialized='incremental') }} select id, total from RAW {% if is_incremental() %} where id > (select max(id) from {{ this }}) {% endif %}",
    ),
  ],
  [
    'SC102',
    'group by summary',
    true,
    changed(BEFORE, AFTER, 'select id, count(*) as n, sum(total) as total from RAW group by 1'),
  ],
  [
    'SC102',
    'unpivot',
    true,
    changed(BEFORE, AFTER, 'select id, total from RAW union all select id, total from RAW'),
  ],
  ['SC102', 'replace', false, changed(BEFORE, AFTER, 'select * replace (upper(total) as total) from RAW')],
  ['SC102', 'columns()', false, changed(BEFORE, AFTER, "select columns('.*') from RAW")],
  [
    'SC102',
    'object of the row',
    true,
    changed(BEFORE, AFTER, 'select id, to_json(o) as payload from RAW as o'),
  ],
  [
    'SC102',
    'quoted camel case',
    true,
    changed('id orderTotal', 'id orderTotal couponCode', 'select id, "orderTotal" as order_total from RAW'),
  ],
  [
    'SC103',
    'import, renamed',
    true,
    changed(
      AFTER,
      BEFORE,
      'with source as (select * from RAW), renamed as (select id as order_id, coupon as coupon_code from source) select * from renamed',
    ),
  ],
  [
    'SC103',
    'macro gets the name',
    true,
    changed(AFTER, BEFORE, "select id, {{ cents('coupon') }} as c from RAW", {
      'macros/cents.sql': '{% macro cents(c) %}({{ c }} / 100){% endmacro %}\n',
    }),
  ],
  [
    'SC103',
    'loop',
    true,
    changed(
      AFTER,
      BEFORE,
      "select {% for c in ['id', 'coupon'] %}{{ c }}{{ ',' if not loop.last }}{% endfor %} from RAW",
    ),
  ],
  ['SC103', 'qualified', true, changed(AFTER, BEFORE, 'select orders.id, orders.coupon from RAW as orders')],
  ['SC103', 'cast ::', true, changed(AFTER, BEFORE, 'select id, coupon::varchar as coupon from RAW')],
  [
    'SC103',
    'partition by',
    true,
    changed(AFTER, BEFORE, 'select id, row_number() over (partition by coupon order by id) as n from RAW'),
  ],
  [
    'SC103',
    'join using',
    true,
    changed(AFTER, BEFORE, 'select o.id from RAW as o join (select 1 as coupon) as c using (coupon)'),
  ],
  [
    'SC103',
    'coalesce',
    true,
    changed(AFTER, BEFORE, "select id, coalesce(nullif(trim(coupon), ''), 'none') as coupon from RAW"),
  ],
  [
    'SC103',
    'qualify',
    true,
    changed(
      AFTER,
      BEFORE,
      'select id from RAW qualify row_number() over (partition by coupon order by id) = 1',
    ),
  ],
  [
    'SC103',
    'count distinct',
    true,
    changed(AFTER, BEFORE, 'select id, count(distinct coupon) as n from RAW group by 1'),
  ],
  [
    'SC103',
    'in this of an incremental',
    false,
    changed(
      AFTER,
      BEFORE,
      'select id from RAW {% if is_incremental() %} where id > (select max(coupon) from {{ this }}) {% endif %}',
    ),
  ],
  ['SC103', 'commented out by Jinja', false, changed(AFTER, BEFORE, 'select id{# , coupon #} from RAW')],
  ['SC103', 'commented out by SQL', false, changed(AFTER, BEFORE, 'select id -- , coupon\nfrom RAW')],
  [
    'SC103',
    'lateral alias',
    false,
    changed(AFTER, BEFORE, "select id, 'x' as coupon, coupon || 'y' as d from RAW"),
  ],
  [
    'SC103',
    'unnest alias',
    false,
    changed(AFTER, BEFORE, 'select id, coupon from RAW cross join unnest([1,2]) as u(coupon)'),
  ],
  [
    'SC103',
    'config only',
    false,
    changed(AFTER, BEFORE, "{{ config(cluster_by=['coupon']) }} select id from RAW"),
  ],
  [
    'SC103',
    'behind never taken branch',
    false,
    changed(AFTER, BEFORE, 'select id {% if false %}, coupon{% endif %} from RAW'),
  ],
  [
    'SC103',
    'var switch off',
    false,
    changed(AFTER, BEFORE, "select id {% if var('with_coupon', false) %}, coupon{% endif %} from RAW"),
  ],
  [
    'SC103',
    'column exists check',
    false,
    changed(
      AFTER,
      BEFORE,
      "{% set names = adapter.get_columns_in_relation(source('shop','orders')) | map(attribute='name') | list %}select id {% if 'coupon' in names %}, coupon{% endif %} from RAW",
    ),
  ],
  [
    'SC103',
    'source columns and fill',
    false,
    changed(
      AFTER,
      BEFORE,
      "with fields as (select {{ fivetran_utils.fill_staging_columns(source_columns=adapter.get_columns_in_relation(source('shop','orders')), staging_columns=get_cols()) }} from RAW) select id, coupon from fields",
    ),
  ],
  [
    'SC103',
    'pivot',
    false,
    changed(
      AFTER,
      BEFORE,
      "select * from (select id, total from RAW) pivot (sum(total) for id in ('coupon'))",
    ),
  ],
  [
    'SC103',
    'star macro then use',
    false,
    changed(
      AFTER,
      BEFORE,
      "with s as (select {{ dbt_utils.star(source('shop','orders')) }} from RAW) select id, coupon from s",
    ),
  ],
  ['SC103', 'exclude', true, changed(AFTER, BEFORE, 'select * exclude (coupon) from RAW')],
  [
    'SC103',
    'exclude in import',
    true,
    changed(AFTER, BEFORE, 'with source as (select * exclude (coupon) from RAW) select id from source'),
  ],
  [
    'SC103',
    'exclude of two, other has',
    false,
    changed(AFTER, BEFORE, 'select * exclude (coupon) from RAW as o join (select 1 as coupon) as c on true'),
  ],
  [
    'SC103',
    'exclude with open star other',
    false,
    changed(
      AFTER,
      BEFORE,
      "select * exclude (coupon) from RAW as o join {{ ref('unknown_package_model') }} as c using (id)",
    ),
  ],
  [
    'SC110',
    'import, renamed, final',
    true,
    tested({
      sql: 'with source as (select * from RAW), renamed as (select id as order_id, status as order_status from source) select * from renamed',
      column: 'order_status',
    }),
  ],
  [
    'SC110',
    'test of the source column',
    true,
    tested({
      sources:
        SOURCES +
        '        columns:\n          - name: status\n            tests:\n              - accepted_values: { values: [open] }\n',
      given: 'not_null',
    }),
  ],
  ['SC110', 'lower', false, tested({ sql: 'select id, lower(status) as status from RAW' })],
  [
    'SC110',
    'case mapping',
    false,
    tested({ sql: "select id, case status when 'void' then 'open' else status end as status from RAW" }),
  ],
  [
    'SC110',
    'cast',
    false,
    tested({ sql: 'select id, cast(status as varchar) as status from RAW', values: ['open', 'paid'] }),
  ],
  [
    'SC110',
    'numbers quote false',
    true,
    tested({
      type: 'integer',
      values: [1, 2, 3],
      given: 'accepted_values: { values: [1, 2], quote: false }',
    }),
  ],
  [
    'SC110',
    'quoted numbers',
    true,
    tested({ type: 'varchar', values: ['1', '2', '3'], given: "accepted_values: { values: ['1', '2'] }" }),
  ],
  [
    'SC110',
    'booleans',
    false,
    tested({
      type: 'boolean',
      values: [true, false],
      given: 'accepted_values: { values: [true, false], quote: false }',
    }),
  ],
  [
    'SC110',
    'booleans as words',
    false,
    tested({
      type: 'boolean',
      values: [true, false],
      given: "accepted_values: { values: ['true', 'false'], quote: false }",
    }),
  ],
  [
    'SC110',
    'booleans capital',
    false,
    tested({
      type: 'boolean',
      values: ['True', 'False'],
      given: 'accepted_values: { values: [true, false], quote: false }',
    }),
  ],
  [
    'SC110',
    'named test',
    true,
    tested({ given: 'accepted_values: { name: status_ok, values: [open, paid] }' }),
  ],
  [
    'SC110',
    'test_name form',
    true,
    tested({ given: '{ name: status_ok, test_name: accepted_values, values: [open, paid] }' }),
  ],
  [
    'SC110',
    'where on another column in test',
    false,
    tested({ given: "accepted_values: { values: [open, paid], config: { where: 'not deleted' } }" }),
  ],
  [
    'SC110',
    'error_if threshold',
    false,
    tested({
      given: "accepted_values: { values: [open, paid], config: { error_if: '>1000', warn_if: '>1000' } }",
    }),
  ],
  [
    'SC110',
    'severity warn',
    true,
    tested({ given: 'accepted_values: { values: [open, paid], config: { severity: warn } }' }),
  ],
  [
    'SC110',
    'inner join filters',
    false,
    tested({
      sql: "select o.id as order_id, o.status from RAW as o join (select 'open' as status) as s on s.status = o.status",
    }),
  ],
  [
    'SC110',
    'semi join',
    false,
    tested({
      sql: "select id as order_id, status from RAW where exists (select 1 from (select 'open' as s) as x where x.s = status)",
    }),
  ],
  [
    'SC110',
    'dedup qualify',
    true,
    tested({
      sql: 'select id as order_id, status from RAW qualify row_number() over (partition by id order by id) = 1',
    }),
  ],
  [
    'SC110',
    'filter var',
    false,
    tested({ sql: "select id as order_id, status from RAW where status in ({{ var('statuses') }})" }),
  ],
  [
    'SC110',
    'filter in macro',
    false,
    tested({
      sql: "select id as order_id, status from RAW where {{ is_live('status') }}",
      more: { 'macros/m.sql': "{% macro is_live(c) %}{{ c }} <> 'void'{% endmacro %}\n" },
    }),
  ],
  [
    'SC110',
    'filter macro hides name',
    false,
    tested({
      sql: 'select id as order_id, status from RAW where {{ is_live() }}',
      more: { 'macros/m.sql': "{% macro is_live() %}status <> 'void'{% endmacro %}\n" },
    }),
  ],
  [
    'SC110',
    'filter by package macro',
    false,
    tested({ sql: 'select id as order_id, status from RAW {{ kit.live_only() }}' }),
  ],
  [
    'SC110',
    'source filter in YAML',
    false,
    tested({
      sources:
        SOURCES +
        '        columns:\n          - name: status\n            tests:\n              - accepted_values: { values: [open], config: { where: "1=1" } }\n',
      given: 'not_null',
    }),
  ],
  [
    'SC110',
    'model test disabled by project',
    false,
    tested({
      more: { 'dbt_project.yml': 'name: shop\ndata_tests:\n  shop:\n    staging: { +enabled: false }\n' },
    }),
  ],
  [
    'SC110',
    'project where',
    false,
    tested({ more: { 'dbt_project.yml': 'name: shop\ndata_tests:\n  +where: "not deleted"\n' } }),
  ],
  ['SC110', 'limit in model', true, tested({ sql: 'select id as order_id, status from RAW limit 100' })],
  ['SC110', 'empty string in raw', true, tested({ values: ['open', 'paid', ''] })],
  ['SC110', 'accepted has more', false, tested({ values: ['open'] })],
  [
    'SC408',
    'identifier of a raw_ table',
    true,
    sources(
      `{ name: air, schema: raw, ${tables('{ name: hosts, identifier: raw_hosts }')} }`,
      `{ name: air2, schema: raw, ${tables('{ name: raw_hosts }')} }`,
    ),
  ],
  [
    'SC408',
    'twice in one source',
    true,
    sources(
      `{ name: air, schema: raw, ${tables('{ name: hosts, identifier: raw_hosts }', '{ name: raw_hosts }')} }`,
      '{ name: z, tables: [{ name: q }] }',
    ),
  ],
  [
    'SC408',
    'copy for another freshness',
    true,
    sources(
      `{ name: app, schema: raw, ${tables('{ name: events }')} }`,
      `{ name: app_hourly, schema: raw, loaded_at_field: at, freshness: { warn_after: { count: 1, period: hour } }, ${tables('{ name: events }')} }`,
    ),
  ],
  [
    'SC408',
    'quoted identifiers differ in case',
    false,
    sources(
      `{ name: a, schema: raw, quoting: { identifier: true }, ${tables('{ name: Events }')} }`,
      `{ name: b, schema: raw, quoting: { identifier: true }, ${tables('{ name: events }')} }`,
    ),
  ],
  [
    'SC408',
    'database by env_var in both',
    false,
    sources(
      `{ name: a, database: "{{ env_var('A') }}", schema: raw, ${tables('{ name: events }')} }`,
      `{ name: b, database: "{{ env_var('B') }}", schema: raw, ${tables('{ name: events }')} }`,
    ),
  ],
  [
    'SC408',
    'databases that Jinja works out are not compared',
    false,
    sources(
      `{ name: a, database: "{{ env_var('A') }}", schema: raw, ${tables('{ name: events }')} }`,
      `{ name: b, database: "{{ env_var('A') }}", schema: raw, ${tables('{ name: events }')} }`,
    ),
  ],
  [
    'SC408',
    'schema by var with value',
    true,
    sources(
      `{ name: a, schema: "{{ var('s') }}", ${tables('{ name: events }')} }`,
      `{ name: b, schema: raw, ${tables('{ name: events }')} }`,
      'vars: { s: raw }\n',
    ),
  ],
  [
    'SC408',
    'schema by target',
    false,
    sources(
      `{ name: a, schema: "{{ target.schema }}", ${tables('{ name: events }')} }`,
      `{ name: b, schema: raw, ${tables('{ name: events }')} }`,
    ),
  ],
  [
    'SC408',
    'one database, other default',
    false,
    sources(
      `{ name: a, schema: raw, ${tables('{ name: events }')} }`,
      `{ name: b, database: lake, schema: raw, ${tables('{ name: events }')} }`,
    ),
  ],
  [
    'SC408',
    'catalog key',
    false,
    sources(
      `{ name: a, catalog: x, schema: raw, ${tables('{ name: events }')} }`,
      `{ name: b, catalog: y, schema: raw, ${tables('{ name: events }')} }`,
    ),
  ],
  [
    'SC408',
    'external location in config',
    false,
    sources(
      `{ name: a, schema: raw, config: { external_location: "a.parquet" }, ${tables('{ name: events }')} }`,
      `{ name: b, schema: raw, config: { external_location: "b.parquet" }, ${tables('{ name: events }')} }`,
    ),
  ],
  [
    'SC408',
    'external location of table meta',
    false,
    sources(
      `{ name: a, schema: raw, ${tables('{ name: events, meta: { external_location: a } }')} }`,
      `{ name: b, schema: raw, ${tables('{ name: events, config: { meta: { external_location: b } } }')} }`,
    ),
  ],
  [
    'SC408',
    'wildcards of shards',
    false,
    sources(
      `{ name: ga, schema: an, ${tables("{ name: events, identifier: 'events_*' }")} }`,
      `{ name: gb, schema: an, ${tables("{ name: intraday, identifier: 'events_intraday_*' }")} }`,
    ),
  ],
  [
    'SC408',
    'same wildcard',
    true,
    sources(
      `{ name: ga, schema: an, ${tables("{ name: events, identifier: 'events_*' }")} }`,
      `{ name: gb, schema: an, ${tables("{ name: events_all, identifier: 'events_*' }")} }`,
    ),
  ],
  [
    'SC408',
    'identifier by var',
    false,
    sources(
      `{ name: a, schema: raw, ${tables('{ name: x, identifier: "{{ var(\'x\') }}" }')} }`,
      `{ name: b, schema: raw, ${tables('{ name: y, identifier: "{{ var(\'x\') }}" }')} }`,
    ),
  ],
  [
    'SC408',
    'anchor copy',
    true,
    sources(
      `{ name: a, schema: raw, ${tables('{ name: o }', '{ name: c }')} }`,
      `{ name: b, schema: raw, ${tables('{ name: o }')} }`,
    ),
  ],
  [
    'SC408',
    'tenant schemas',
    false,
    sources(
      `{ name: de, schema: shop_de, ${tables('{ name: o }')} }`,
      `{ name: fr, schema: shop_fr, ${tables('{ name: o }')} }`,
    ),
  ],
  [
    'SC408',
    'disabled by its package var',
    false,
    sources(
      `{ name: a, schema: raw, ${tables('{ name: o }')} }`,
      `{ name: b, schema: raw, ${tables('{ name: o, config: { enabled: "{{ var(\'b__using_o\', true) }}" } }')} }`,
    ),
  ],
])('%s: %s', async (id, _, isFound, files) => {
  const rule = RULES.find((one) => one.id === id)
  const { findings } = await lintFiles(files, rule)
  expect(findings.some((finding) => finding.rule === id)).toBe(isFound)
})

// Healthy dbt projects as three kinds of houses write them, of any size. Whatever a rule that is on finds in them is wrong.
import type { DialectName } from '@stagecraft/spec'
import type { Files } from './lint-project.ts'

/** How houses write: in layers with import CTEs; around loaders and nested data; as it grew over the years. */
export const STYLES = {
  layers: 'postgres',
  loaders: 'bigquery',
  grown: 'snowflake',
} as const satisfies Readonly<Record<string, DialectName>>
export type Style = keyof typeof STYLES

/** The files of a project with about so many models. */
export function styledProject(style: Style, models: number): Files {
  const parts = { layers, loaders, grown } as const
  return parts[style](models)
}

function each<Item>(count: number, make: (index: number) => Item): readonly Item[] {
  return Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => make(index))
}

const DEPARTMENTS = ['shop', 'crm', 'erp', 'web', 'billing'] as const

function department(index: number): string {
  return DEPARTMENTS[index % DEPARTMENTS.length] ?? 'shop'
}

function sourcesYaml(name: string, tables: readonly string[], more = ''): string {
  return `version: 2\n\nsources:\n  - name: ${name}\n    description: Raw tables of ${name}.\n${more}    tables:\n${tables.map((table) => `      - name: ${table}\n`).join('')}`
}

/** Half staging, a quarter intermediate, a quarter marts. */
function layers(models: number): Files {
  const staged = each(models / 2, (index) => ({ home: department(index), table: `table_${index}` }))
  const staging = staged.flatMap(({ home, table }, index): readonly (readonly [string, string])[] => [
    [
      `models/staging/${home}/stg_${home}__${table}.sql`,
      `{{ config(materialized='view') }}

with source as (

    select * from {{ source('${home}', '${table}') }}

),

renamed as (

    select
        -- ids
        id as ${table}_id,
        parent_id,

        -- strings
        nullif(trim(name), '') as ${table}_name,
        lower(status)::text as status,

        -- numerics
        cast(amount as numeric(12, 2)) as amount,
        {{ cents_to_euros('tax') }} as tax_amount,

        -- timestamps
        created_at::timestamp as created_at,
        updated_at

    from source

)

select * from renamed
`,
    ],
    [
      `models/staging/${home}/_stg_${home}__${table}.yml`,
      `models:
  - name: stg_${home}__${table}
    description: One row for each thing ${index}.
    columns:
      - name: ${table}_id
        description: Key.
        data_tests:
          - unique
          - not_null
      - name: tax_amount
        description: In euros.
      - name: "status"
        data_tests:
          - accepted_values:
              arguments:
                values: ['open', 'closed']
`,
    ],
  ])
  const named = (index: number): string => {
    const one = staged[index % staged.length]
    return one ? `stg_${one.home}__${one.table}` : ''
  }
  const idOf = (index: number): string => `${staged[index % staged.length]?.table ?? ''}_id`
  const intermediate = each(models / 4, (index): readonly [string, string] => [
    `models/intermediate/int_things_${index}.sql`,
    `with a as (

    select * from {{ ref('${named(2 * index)}') }}

),

b as (

    select * from {{ ref('${named(2 * index + 1)}') }}

),

joined as (

    select
        a.*,
        b.amount as other_amount,
        row_number() over (partition by a.parent_id order by a.created_at desc) as row_number
    from a
    left join b
        on a.parent_id = b.${idOf(2 * index + 1)}

)

select * from joined
where row_number = 1
`,
  ])
  const marts = each(models / 4, (index): readonly [string, string] => [
    `models/marts/fct_things_${index}.sql`,
    `{{ config(materialized='incremental', unique_key='thing_id') }}

with things as (

    select * from {{ ref('int_things_${index}') }}
    {% if is_incremental() %}
    where created_at > (select max(created_at) from {{ this }})
    {% endif %}

)

select
    ${idOf(2 * index)} as thing_id,
    status,
    {{ dbt_utils.generate_surrogate_key(['status', 'parent_id']) }} as status_key,
    {% for kind in ['open', 'closed'] -%}
    sum(case when status = '{{ kind }}' then amount end) as {{ kind }}_amount,
    {% endfor -%}
    max(coalesce(other_amount, 0)) as most,
    max(created_at) as created_at
from things
group by 1, 2, 3
`,
  ])
  const martsYaml = each(models / 4, (index): readonly [string, string] => [
    `models/marts/fct_things_${index}.yml`,
    `models:\n  - name: fct_things_${index}\n    columns:\n      - name: thing_id\n        data_tests: [unique]\n      - name: open_amount\n        description: Not closed yet.\n      - name: STATUS_KEY\n`,
  ])
  return {
    'dbt_project.yml': 'name: shop\nmodels:\n  shop:\n    marts:\n      +materialized: table\n',
    'packages.yml': 'packages:\n  - package: dbt-labs/dbt_utils\n    version: 1.3.0\n',
    'macros/cents_to_euros.sql':
      '{% macro cents_to_euros(column, digits=2) -%}\n({{ column }} / 100)::numeric(16, {{ digits }})\n{%- endmacro %}\n',
    ...Object.fromEntries(
      DEPARTMENTS.map((home) => [
        `models/staging/${home}/_${home}__sources.yml`,
        sourcesYaml(
          home,
          staged.filter((one) => one.home === home).map(({ table }) => table),
        ),
      ]).filter(([, text]) => text?.includes('- name: table_')),
    ),
    ...Object.fromEntries([...staging, ...intermediate, ...marts, ...martsYaml]),
  }
}

/** Nested events, snapshots of a loader, and models made by macros. */
function loaders(models: number): Files {
  const tables = each(models / 2, (index) => `events_${index}`)
  const staging = tables.map((table): readonly [string, string] => [
    `models/staging/base/base_ga4__${table}.sql`,
    `{{ config(materialized='incremental', partition_by={'field': 'event_date', 'data_type': 'date'}) }}

with raw as (
  select
    event_timestamp,
    user_pseudo_id,
    geo.country as country,
    (select value.string_value from unnest(event_params) where key = 'page_location') as page_location,
    items,
    parse_date('%Y%m%d', _table_suffix) as event_date
  from {{ source('ga4', '${table}') }}
  where _table_suffix >= '{{ var("start_date") }}'
  {% if target.name == 'dev' %}
    and rand() < 0.1
  {% endif %}
)

select *, {{ hash_of(['user_pseudo_id', 'event_timestamp']) }} as event_key
from raw
qualify row_number() over (partition by user_pseudo_id, event_timestamp order by event_date) = 1
`,
  ])
  const staged = tables.map((table): readonly [string, string] => [
    `models/staging/stg_ga4__${table}.sql`,
    `select
  event_key,
  timestamp_micros(event_timestamp) as occurred_at,
  country,
  regexp_extract(page_location, r'^https?://([^/]+)') as host,
  item.item_id,
  struct(page_location as url, country as land) as page
from {{ ref('base_ga4__${table}') }}
cross join unnest(items) as item
`,
  ])
  const yaml = tables.map((table): readonly [string, string] => [
    `models/staging/stg_ga4__${table}.yml`,
    `version: 2
models:
  - name: stg_ga4__${table}
    columns:
      - {name: event_key, description: "{{ doc('event_key') }}", tests: [not_null]}
      - {name: host}
      - {name: item_id}
      - {name: page}
      - {name: page.url, description: Where it was.}
`,
  ])
  const unions = each(models / 50, (index): readonly [string, string] => [
    `models/marts/events_${index}.sql`,
    `{% set parts = [${[0, 1, 2].map((part) => `'stg_ga4__events_${(index + part) % tables.length}'`).join(', ')}] %}
{% for part in parts %}
select event_key, occurred_at, country, '{{ part }}' as part from {{ ref(part) }}
{% if not loop.last %}union all{% endif %}
{% endfor %}
`,
  ])
  return {
    'dbt_project.yml':
      "name: web\nvars:\n  start_date: '20200101'\nmodels:\n  web:\n    +persist_docs: {relation: true}\n",
    'macros/hash_of.sql':
      "{% macro hash_of(columns) %}\n  to_hex(md5(concat({% for column in columns %}cast({{ column }} as string){{ ', ' if not loop.last }}{% endfor %})))\n{% endmacro %}\n",
    'models/docs.md': '{% docs event_key %}\nKey of the event.\n{% enddocs %}\n',
    'models/staging/sources.yml': sourcesYaml(
      'ga4',
      tables,
      '    database: raw\n    loaded_at_field: event_timestamp\n',
    ),
    ...Object.fromEntries([...staging, ...staged, ...yaml, ...unions]),
  }
}

/** Without layers by name, with tests as they were, seeds, snapshots, and JSON in variants. */
function grown(models: number): Files {
  const tables = each(models / 2, (index) => `T${index}`)
  const cleaned = tables.map((table): readonly [string, string] => [
    `models/clean/${table.toLowerCase()}_clean.sql`,
    `SELECT
    t.ID::NUMBER AS ID
  , t.V:customer.name::STRING AS CUSTOMER_NAME
  , t.V:lines[0].sku::STRING AS FIRST_SKU
  , IFF(t.DELETED, 'yes', 'no') AS IS_DELETED
  , CURRENT_TIMESTAMP() AS LOADED_AT
FROM {{ source('LEGACY', '${table}') }} t
LEFT JOIN {{ ref('countries') }} c ON c.code = t.COUNTRY
WHERE t.DELETED = FALSE
`,
  ])
  const reports = each(models / 2, (index): readonly [string, string] => [
    `models/reports/report_${index}.sql`,
    `{{ config(materialized = 'table', tags = ['nightly']) }}
-- {{ ref('t${index % tables.length}_clean') }} is read below
with base as (select * from {{ ref('t${index % tables.length}_clean') }}),
counted as (
  select customer_name, count(*) as orders, count(distinct first_sku) skus from base group by customer_name
)
select base.id, counted.*, round(100 * orders / nullif(sum(orders) over (), 0), 2) as share
from counted join base using (customer_name)
`,
  ])
  const yaml = `version: 2
models:
${reports.map((_, index) => `  - name: report_${index}\n    columns:\n      - name: id\n        tests:\n          - not_null\n      - name: customer_name\n      - name: SHARE\n`).join('')}`
  return {
    'dbt_project.yml': 'name: legacy\nconfig-version: 2\nseeds:\n  legacy:\n    +schema: seeds\n',
    'seeds/countries.csv': 'code,name\nDE,Germany\n',
    'seeds/seeds.yml':
      'version: 2\nseeds:\n  - name: countries\n    columns:\n      - name: code\n        tests: [unique]\n',
    'snapshots/people.sql':
      "{% snapshot people %}\n{{ config(target_schema='snapshots', unique_key='id', strategy='check', check_cols=['customer_name']) }}\nselect id, customer_name from {{ ref('t0_clean') }}\n{% endsnapshot %}\n",
    'snapshots/people.yml':
      'version: 2\nsnapshots:\n  - name: people\n    columns:\n      - name: dbt_valid_to\n      - name: customer_name\n',
    'models/sources.yml': sourcesYaml('LEGACY', tables, '    schema: LEGACY_DATA\n'),
    'models/reports/reports.yml': yaml,
    ...Object.fromEntries([...cleaned, ...reports]),
  }
}

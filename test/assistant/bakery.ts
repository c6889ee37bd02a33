/** A bakery: sources with warehouse names and freshness, marks of personal data, groups, owners, contracts. */
export const BAKERY_FILES: Readonly<Record<string, string>> = {
  'dbt_project.yml': `name: bakery
version: '1.0'
profile: bakery
model-paths: [models]
seed-paths: [seeds]
snapshot-paths: [snapshots]
test-paths: [tests]
macro-paths: [macros]
models:
  bakery:
    staging: { +materialized: view, +tags: [staging_daily] }
    intermediate: { +materialized: ephemeral }
    marts:
      +materialized: table
      finance: { +group: finance, +access: private }
`,
  'macros/cents.sql': `{% macro cents(x) %}{{ x }} / 100{% endmacro %}
{% macro never_called() %}1{% endmacro %}
`,
  'models/groups.yml': `groups:
  - name: finance
    owner: { name: Finance Team, email: finance@bakery.example }
  - name: growth
    owner: { name: Gro Wth, email: growth@bakery.example }
`,
  'models/intermediate/int_orders__joined.sql': `select o.order_id, o.person_id, o.order_amount, l.product_id, l.quantity
from {{ ref('stg_shop__orders') }} as o
join {{ ref('stg_shop__order') }} as l on l.order_id = o.order_id
`,
  'models/marts/props.yml': `models:
  - name: fct_revenue
    description: Revenue by order.
    columns:
      - name: order_id
        description: Key.
        data_tests: [unique, not_null]
      - name: revenue
        description: Order amount.
  - name: dim_people
    description: People.
    columns:
      - name: person_id
        data_tests: [unique, not_null]
      - name: phone
        meta: { sensitive: true }
  - name: fct_leads
    columns:
      - name: lead_id
        data_type: integer
      - name: channel
        data_type: text
exposures:
  - name: revenue_board
    type: dashboard
    owner: { name: Jane Roe, email: jane@bakery.example }
    depends_on: [ref('fct_revenue'), ref('dim_people')]
  - name: lead_notebook
    type: notebook
    owner: { name: Bo Li, email: bo@bakery.example }
    depends_on: [ref('fct_leads')]
seeds:
  - name: countries
    columns:
      - name: code
        data_tests: [unique, not_null]
`,
  'models/marts/finance/fct_refunds.sql': `select order_id, order_amount as refund from {{ ref('stg_shop__orders') }} where order_amount < 0
`,
  'models/marts/finance/fct_revenue.sql': `{{ config(materialized='incremental', unique_key='order_id', tags=['nightly']) }}
select order_id, person_id, order_amount as revenue from {{ ref('int_orders__joined') }}
`,
  'models/marts/growth/dim_people.sql': `{{ config(group='growth', tags=['nightly', 'pii']) }}
select p.person_id, p.email, p.phone, c.name as country_name
from {{ ref('stg_crm__people') }} as p
left join {{ ref('countries') }} as c on c.code = p.note
`,
  'models/marts/growth/dim_products.sql': `select product_id, product_name, category from {{ ref('stg_shop__products') }}
`,
  'models/marts/growth/fct_leads.sql': `{{ config(access='public', contract={'enforced': true}) }}
select lead_id, channel from {{ ref('stg_crm__leads') }}
`,
  'models/marts/growth/old_report.sql': `{{ config(enabled=false) }}
select 1 as x
`,
  'models/staging/sources.yml': `sources:
  - name: crm
    schema: raw_crm
    database: lake
    tables:
      - name: people
        identifier: CRM_PEOPLE
        columns:
          - name: id
            data_tests: [unique, not_null]
          - name: email
          - name: phone
      - name: leads
        freshness:
          warn_after: { count: 12, period: hour }
          error_after: { count: 24, period: hour }
        loaded_at_field: loaded_at
  - name: shop
    schema: Raw Shop
    loaded_at_field: updated_at
    freshness: { warn_after: { count: 1, period: day } }
    tables:
      - name: orders
        columns:
          - name: id
          - name: amount
          - name: person_id
            data_tests:
              - relationships: { arguments: { to: "source('crm', 'people')", field: id } }
      - name: order
        freshness: null
      - name: products
        identifier: PRODUCTS
      - name: legacy_prices
`,
  'models/staging/crm/props.yml': `models:
  - name: stg_crm__people
    description: One row per person.
    config: { meta: { owner: { name: Ada Byron, email: ada@bakery.example } } }
    columns:
      - name: person_id
        description: Key of the person.
        data_tests: [unique, not_null]
      - name: email
        description: Address for mails.
        config: { meta: { pii: true } }
        data_tests: [not_null]
      - name: full_label
        meta: { contains_pii: true }
      - name: note
        description: Free text of the call agent.
        tags: [pii]
  - name: stg_crm__leads
    columns:
      - name: lead_id
        data_tests: [unique, { not_null: { severity: warn } }]
      - name: channel
        data_tests: [{ accepted_values: { arguments: { values: [ad, web] } } }]
      - name: email_hash
        meta: { pii: false }
`,
  'models/staging/crm/stg_crm__leads.sql': `select id as lead_id, email_hash, channel from {{ source('crm', 'leads') }}
`,
  'models/staging/crm/stg_crm__people.sql': `select id as person_id, email, phone, full_label, note from {{ source('crm', 'people') }}
`,
  'models/staging/shop/props.yml': `models:
  - name: stg_shop__orders
    description: One row per order.
    columns:
      - name: order_id
        data_tests: [unique, not_null]
      - name: person_id
        data_tests:
          - relationships: { arguments: { to: ref('stg_crm__people'), field: person_id } }
      - name: order_amount
        description: Gross amount in the currency of the order.
      - name: ordered_at
        description: When the order was placed, in UTC.
  - name: stg_shop__products
    columns:
      - name: product_id
        data_tests: [unique]
`,
  'models/staging/shop/stg_shop__order.sql': `select id as order_line_id, order_id, product_id, quantity, unit_price from {{ source('shop', 'order') }}
`,
  'models/staging/shop/stg_shop__orders.sql': `select id as order_id, person_id, amount as order_amount, currency, ordered_at from {{ source('shop', 'orders') }}
`,
  'models/staging/shop/stg_shop__products.sql': `select id as product_id, title as product_name, category from {{ source('shop', 'products') }}
`,
  'seeds/countries.csv': `code,name
de,Germany
`,
  'seeds/unused_seed.csv': `x
1
`,
  'snapshots/people_snapshot.sql': `{% snapshot people_snapshot %}{{ config(unique_key='person_id', strategy='check', check_cols='all') }}
select * from {{ ref('stg_crm__people') }}
{% endsnapshot %}
`,
  'tests/no_negative_revenue.sql': `select * from {{ ref('fct_revenue') }} where revenue < 0
`,
}

/** A project of a few dozen models with findings of every kind, and with names that nobody should trust. */
export const REPORT_FILES: Readonly<Record<string, string>> = {
  'dbt_project.yml': 'name: shop\n',
  'models/sources.yml': `sources:
  - name: shop
    tables:
${['orders', 'customers', 'lines', 'refunds', 'events'].map((name) => `      - name: ${name}\n`).join('')}  - name: old
    tables: [{ name: visits }, { name: pages }]
exposures:
  - name: weekly_report
    type: dashboard
    owner: { name: a }
    depends_on: [ref('fct_orders'), ref('dim_customers')]
`,
  ...Object.fromEntries(
    ['orders', 'customers', 'lines', 'refunds', 'events'].map((name) => [
      `models/staging/shop/stg_shop__${name}.sql`,
      `select id, name, created_at from {{ source('shop', '${name}') }}\n`,
    ]),
  ),
  'models/staging/shop/stg_shop__everything.sql':
    "select *\nfrom {{ source('shop', 'orders') }} as o\njoin {{ source('shop', 'lines') }} as l on l.order_id = o.id\n",
  'models/marts/fct_orders.sql':
    "with orders as (\n    select * from {{ ref('stg_shop__orders') }}\n),\nlines as (\n    select * from {{ ref('stg_shop__lines') }}\n)\nselect * from orders join lines using (id) join {{ ref('stg_shop__ordres') }} using (id)\n",
  'models/marts/dim_customers.sql':
    "select * from {{ ref('stg_shop__customers') }} join {{ source('shop', 'events') }} using (id)\n",
  'models/marts/fct_refunds.sql':
    "select * from {{ ref('stg_shop__refunds') }} -- <img src=x onerror=\"alert('&')\">\njoin raw.shop.refunds using (id)\n",
  'models/marts/fct_<b>"bold\'&amp;.sql':
    'select * from {{ ref(\'<script>alert("x")</script>\') }} join {{ ref("fct_orders") }} using (id)\n',
  'models/marts/fct_suppressed.sql':
    "-- stagecraft: ignore SC403 <i>small</i> table\nselect * from {{ source('shop', 'orders') }}\n",
  'models/marts/models.yml':
    'version: 2\nmodels:\n  - name: fct_gone\n  - name: fct_orders\n    access: public\n',
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `models/marts/fct_number_${index}_with_quite_a_long_name.sql`,
      index % 7 === 0
        ? `select * from {{ source('shop', 'orders') }} join {{ ref('fct_orders') }} using (id)\n`
        : `select * from {{ ref('fct_orders') }}\n`,
    ]),
  ),
}

/** A project with a raw column that reaches a mart, a `*` in between, an exposure, and a model that cannot be read. */
export const LINEAGE_FILES = {
  'dbt_project.yml': 'name: shop\n',
  'models/sources.yml':
    "sources:\n  - name: shop\n    tables:\n      - name: orders\n      - name: customers\nexposures:\n  - name: weekly\n    type: dashboard\n    owner: { name: a }\n    depends_on: [ref('fct_orders')]\n",
  'models/stg_shop__orders.sql':
    "with source as (\n    select * from {{ source('shop', 'orders') }}\n),\nrenamed as (\n    select\n        id as order_id,\n        customer as customer_id,\n        cast(amount as numeric) as amount,\n        tax\n    from source\n    where deleted is null\n)\nselect * from renamed\n",
  'models/stg_shop__customers.sql': "select id as customer_id, name from {{ source('shop', 'customers') }}\n",
  'models/int_orders.sql': "select * from {{ ref('stg_shop__orders') }}\n",
  'models/fct_orders.sql':
    "select\n    o.order_id,\n    c.name,\n    o.amount + o.tax as total\nfrom {{ ref('int_orders') }} as o\njoin {{ ref('stg_shop__customers') }} as c using (customer_id)\n",
  'models/odd.sql': "select * from {{ some_package.thing(ref('int_orders')) }}\n",
}

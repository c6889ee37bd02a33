select customer_id from {{ ref('stg_shop__customers') }}

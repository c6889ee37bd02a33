select order_id, status, amount from {{ ref('stg_shop__orders') }}

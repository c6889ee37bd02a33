select order_id from {{ ref('stg_shop__orders') }}

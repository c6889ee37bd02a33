select id as order_id from {{ source('shop', 'orders') }}

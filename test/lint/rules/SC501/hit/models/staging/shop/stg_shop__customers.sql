select id as customer_id from {{ source('shop', 'customers') }}

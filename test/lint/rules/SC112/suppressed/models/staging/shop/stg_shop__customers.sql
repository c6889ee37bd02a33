select id as customer_id, country from {{ source('shop', 'customers') }}

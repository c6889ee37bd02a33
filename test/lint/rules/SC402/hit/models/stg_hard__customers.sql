select id as customer_id from {{ source('hard', 'orders') }}

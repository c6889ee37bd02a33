select id from {{ source('shop', 'customers') }}

select * from {{ source('shop', 'customers') }}

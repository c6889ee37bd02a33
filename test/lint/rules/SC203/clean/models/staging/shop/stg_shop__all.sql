-- no join, but a union
select id, 'join' as kind from {{ source('shop', 'orders') }}
union all
select id, 'customer' from {{ source('shop', 'customers') }}

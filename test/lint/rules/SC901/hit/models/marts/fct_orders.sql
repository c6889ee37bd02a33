-- stagecraft: ignore SC403
select * from {{ source('shop', 'orders') }}

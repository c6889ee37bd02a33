-- stagecraft: ignore SC403 is being retired
select * from {{ source('shop', 'orders') }}

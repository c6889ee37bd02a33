-- stagecraft: ignore SC207 its columns change every week
select * from {{ source('shop', 'orders') }}

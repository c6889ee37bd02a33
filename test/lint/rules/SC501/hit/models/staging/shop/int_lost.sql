select customer_id from {{ ref('stg_shop__customers') }} -- no other model tells where it belongs

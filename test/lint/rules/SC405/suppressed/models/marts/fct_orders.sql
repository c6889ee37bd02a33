select *
-- stagecraft: ignore SC405 the step is slow and is kept as a table
from {{ ref('stg_shop__orders') }}
join {{ ref('int_orders_paid') }} using (order_id)

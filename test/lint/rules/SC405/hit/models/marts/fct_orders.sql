select *
from {{ ref('stg_shop__orders') }}
join {{ ref('int_orders_paid') }} using (order_id)

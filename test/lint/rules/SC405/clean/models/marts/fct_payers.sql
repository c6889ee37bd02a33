select order_id from {{ ref('int_orders_paid') }}

select orders.*, customers.country
from {{ ref('stg_shop__orders') }} as orders
join {{ ref('stg_shop__customers') }} as customers on orders.order_id = customers.customer_id

with orders as (select * from {{ ref('stg_shop__orders') }}),

customers as (select *, customer_id as order_id from {{ ref('stg_shop__customers') }})

select orders.*, customers.*
from orders
join customers on orders.order_id = customers.customer_id

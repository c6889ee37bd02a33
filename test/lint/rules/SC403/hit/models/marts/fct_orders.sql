with orders as (
    select * from {{ source('shop', 'orders') }}
)
select * from orders

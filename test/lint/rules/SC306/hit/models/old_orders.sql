select 1 as order_id, 'open' as status, 1 as customer_id

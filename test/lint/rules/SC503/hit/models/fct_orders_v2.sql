select 1 as order_id, 'x' as note

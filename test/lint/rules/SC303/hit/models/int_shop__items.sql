select 1 as item_id

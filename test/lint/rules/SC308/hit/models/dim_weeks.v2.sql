select 1 as week_id

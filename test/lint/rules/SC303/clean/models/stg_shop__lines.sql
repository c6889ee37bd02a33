select 1 as line_id

-- other rows: one for each element of an array
select o.id as order_id, line.sku
from {{ source('shop', 'orders') }} as o, unnest(o.lines) as line

select
    o.order_id,
    o.status, -- kept
    o.amount, -- again
    upper(o.status) as shouted,
    lower(o.status) as shouted
from {{ ref('stg_shop__orders') }} as o

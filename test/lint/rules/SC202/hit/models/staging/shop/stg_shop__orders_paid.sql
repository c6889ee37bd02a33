select id from {{ source('shop', 'orders') }} where state not in ('open') and kind = 'paid'

select id from {{ source('shop', 'events') }} where kind = 'login'

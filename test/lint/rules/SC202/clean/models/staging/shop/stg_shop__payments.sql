select id, case when state = 'login' then 1 end as x
from {{ source('shop', 'events') }} where kind in ('paid', 'refunded')

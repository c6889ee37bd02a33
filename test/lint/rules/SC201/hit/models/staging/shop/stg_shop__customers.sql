-- reads two layers that it should not
select c.*
from {{ source('shop', 'customers') }} as c
join {{ ref('stg_shop__orders') }} as o using (customer_id)
join {{ ref('fct_orders') }} as f using (order_id)

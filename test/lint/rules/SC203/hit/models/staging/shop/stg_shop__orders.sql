select o.*, c.country
from {{ source('shop', 'orders') }} as o
left join {{ source('shop', 'customers') }} as c using (customer_id)

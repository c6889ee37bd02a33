select o.*, c.country
from {{ source('shop', 'orders') }} as o
left join {# stagecraft: ignore SC203 customers has one column of use #} {{ source('shop', 'customers') }} as c using (customer_id)

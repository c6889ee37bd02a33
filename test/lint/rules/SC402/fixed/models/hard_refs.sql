select a.customer_id
from {{ ref('stg_hard__customers') }} as a
join {{ ref('dim_customers') }} as b on a.customer_id = b.customer_id
join raw_shop.stg_hard__customers as c on c.customer_id = a.customer_id -- the schema of a source
join other.customers as d on d.customer_id = a.customer_id -- another schema than that of the model

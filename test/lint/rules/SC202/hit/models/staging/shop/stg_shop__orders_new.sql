select *
from {{ source('shop', 'orders') }}
where is_new

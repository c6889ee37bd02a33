select
    id,
    Status,
    amount
from {{ source('shop', 'orders') }}

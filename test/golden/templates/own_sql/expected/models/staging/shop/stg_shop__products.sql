with src as (
    select * from {{ source('shop', 'products') }}
)

select
    id as product_id,
    customer_id,
    name,
    price,
    case
        when flag = 'Y' then true
        when flag = 'N' then false
    end as is_flag,
    case
        when on_sale = 1 then true
        when on_sale = 0 then false
    end as is_on_sale,
    seen at time zone 'UTC' as seen_at,
    _fivetran_deleted,
    _fivetran_synced at time zone 'UTC' as _fivetran_synced
from src

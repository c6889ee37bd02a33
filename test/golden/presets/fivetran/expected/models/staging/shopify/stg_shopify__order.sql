with base as (

    select *
    from {{ source('shopify', 'order') }}
),

fields as (

    select *
    from base
),

final as (

    select
        id as order_id,
        customer_id,
        total_price,
        buyer_accepts_marketing,
        test as is_test,
        cast(convert_timezone('UTC', created_at) as timestamp_ntz)
            as created_at,
        _fivetran_deleted,
        cast(convert_timezone('UTC', _fivetran_synced) as timestamp_ntz)
            as _fivetran_synced
    from fields
    where not coalesce(_fivetran_deleted, false)
)

select *
from final

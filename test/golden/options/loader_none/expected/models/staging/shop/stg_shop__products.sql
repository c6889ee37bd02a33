with

source as (

    select * from {{ source('shop', 'products') }}

),

renamed as (

    select
        ---------- ids
        id as product_id,
        customer_id,

        ---------- strings
        name,

        ---------- numerics
        price,

        ---------- booleans
        case
            when flag = 'Y' then true
            when flag = 'N' then false
        end as is_flag,
        case
            when on_sale = 1 then true
            when on_sale = 0 then false
        end as is_on_sale,
        _fivetran_deleted,

        ---------- timestamps
        seen at time zone 'UTC' as seen_at,
        _fivetran_synced at time zone 'UTC' as _fivetran_synced

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'products') }}

),

active as (

    select *
    from source
    where not coalesce("_fivetran_deleted", false)

),

renamed as (

    select
        ---------- ids
        "id" as product_id,
        "customer_id" as customer_id,

        ---------- strings
        "name" as name,

        ---------- numerics
        "price" as price,

        ---------- booleans
        case
            when "flag" = 'Y' then true
            when "flag" = 'N' then false
        end as is_flag,
        case
            when "on_sale" = 1 then true
            when "on_sale" = 0 then false
        end as is_on_sale,

        ---------- timestamps
        cast(convert_timezone('UTC', "seen") as timestamp_ntz) as seen_at,

        ---------- metadata
        "_fivetran_deleted" as _fivetran_deleted,
        cast(convert_timezone('UTC', "_fivetran_synced") as timestamp_ntz)
            as _fivetran_synced

    from active

)

select * from renamed

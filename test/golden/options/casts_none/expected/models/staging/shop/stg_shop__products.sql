with

source as (

    select * from {{ source('shop', 'products') }}

),

active as (

    select *
    from source
    where not coalesce(_fivetran_deleted, false)

),

renamed as (

    select
        ---------- ids
        id as product_id,
        customer_id,

        ---------- strings
        name,
        flag,

        ---------- numerics
        price,
        on_sale,

        ---------- timestamps
        seen as seen_at,

        ---------- metadata
        _fivetran_deleted,
        _fivetran_synced

    from active

)

select * from renamed

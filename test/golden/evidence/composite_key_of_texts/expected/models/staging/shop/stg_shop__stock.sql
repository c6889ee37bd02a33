with

source as (

    select * from {{ source('shop', 'stock') }}

),

renamed as (

    select
        ---------- ids
        sku,
        warehouse,
        day,

        ---------- numerics
        quantity

    from source

)

select * from renamed

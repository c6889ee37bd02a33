with

source as (

    select * from {{ source('shop', 'stock') }}

),

renamed as (

    select
        ---------- ids
        sku,
        warehouse

    from source

)

select * from renamed

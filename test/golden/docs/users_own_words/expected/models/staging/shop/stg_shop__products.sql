with

source as (

    select * from {{ source('shop', 'products') }}

),

renamed as (

    select
        ---------- ids
        id as product_id,

        ---------- strings
        name

    from source

)

select * from renamed

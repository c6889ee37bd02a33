with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        "Id",

        ---------- strings
        "Order",

        ---------- timestamps
        "createdAt"

    from source

)

select * from renamed

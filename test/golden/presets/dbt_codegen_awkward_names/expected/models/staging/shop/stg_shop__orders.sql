

with source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        "order",
        "weird name",
        "Total" as total

    from source

)

select * from renamed


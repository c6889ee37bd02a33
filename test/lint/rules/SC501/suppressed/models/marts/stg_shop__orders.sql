-- stagecraft: ignore SC501 moves with the next release
with source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        id as order_id,
        cast(amount as decimal(10, 2)) as amount,
        status
    from source

)

select * from renamed

with source as (
    select * from {{ source('shop', 'orders') }}
),

renamed as (
    select
        id as order_id,
        customer_id,
        status,
        cast(amount as decimal(12, 4)) as amount,
        -- stagecraft: ignore SC205 the hour means nothing
        cast(placed as date) as placed_on
    from source
)

select * from renamed

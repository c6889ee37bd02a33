with source as (
    select * from {{ source('shop', 'orders') }}
),

renamed as (
    select
        id as order_id,
        customer_id,
        status,
        -- stagecraft: ignore SC206 says it aloud
        cast(amount as decimal(10, 2)) as amount,
        placed as placed_at
    from source
)

select * from renamed

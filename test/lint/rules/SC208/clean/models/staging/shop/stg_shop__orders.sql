with source as (
    select * from {{ source('shop', 'orders') }}
),

renamed as (
    select
        id as order_id,
        customer_id,
        status,
        cast(amount as decimal(12, 4)) as amount,
        placed as placed_at
    from source
)

select * from renamed

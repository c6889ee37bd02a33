with source as (
    select * from {{ source('shop', 'orders') }}
),

renamed as (
    select
        id as order_id,
        customer_id,
        status,
        -- stagecraft: ignore SC204 the loader adds it tonight
        nothing_of_it as x,
        cast(amount as decimal(12, 4)) as amount,
        placed as placed_at
    from source
)

select * from renamed

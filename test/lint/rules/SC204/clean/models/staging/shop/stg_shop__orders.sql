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
    where placed > date_trunc('month', current_date) and Amount > 0
    order by placed_at, order_id
)

select * from renamed

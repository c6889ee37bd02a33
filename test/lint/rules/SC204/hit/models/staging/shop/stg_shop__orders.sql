with source as (
    select * from {{ source('shop', 'orders') }}
),

renamed as (
    select
        id as order_id,
        customer_id,
        stauts as status,
        nothing_of_it as x,
        cast(amount as decimal(12, 4)) as amount,
        placed as placed_at
    from source as s
    where s.amout > 0 -- amount
)

select * from renamed

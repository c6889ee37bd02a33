with source as (
    select * from {{ source('shop', 'orders') }}
),

renamed as (
    select
        id as order_id,
        customer_id,
        status,
        amount as amount,
        placed as placed_at,
        o.id /* the key */ as id
    from source as o
)

select * from renamed

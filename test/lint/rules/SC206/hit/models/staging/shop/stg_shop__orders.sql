with source as (
    select * from {{ source('shop', 'orders') }}
),

renamed as (
    select
        id as order_id,
        customer_id,
        status,
        cast(amount as decimal(10, 2)) as amount,
        placed::timestamp as placed_at,
        cast( o.id as integer ) /* the key */ as id
    from source as o
)

select * from renamed

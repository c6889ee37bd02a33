with source as (
    select * from {{ source('shop', 'orders') }}
),

renamed as (
    select
        id as order_id,
        customer_id,
        status,
        cast(amount as decimal(12, 4)) as amount,
        try_cast(status as integer) as status_code,
        cast(id as varchar) as id_text
    from source
)

select * from renamed

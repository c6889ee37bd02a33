with source as (
    select * from {{ source('shop', 'orders') }}
),

renamed as (
    select
        id as order_id,
        customer_id,
        status,
        cast(amount as decimal(10, 1)) as amount,
        cast(placed as date) as placed_on,
        try_cast(status as integer) as status_code,
        TRY_CAST(status AS integer) AS status_number, -- of the parcel
        cast(upper(status) as integer) as no_column
    from source
)

select * from renamed

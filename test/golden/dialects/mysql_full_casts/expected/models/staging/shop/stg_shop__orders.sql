with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        -- -------- ids
        id as order_id,
        customerId as customer_id,

        -- -------- strings
        cast(status as char) as status,

        -- -------- numerics
        cast(amount as decimal(18, 2)) as amount,
        `rank`,

        -- -------- booleans
        active as is_active,

        -- -------- dates
        cast(shipped_on as date) as shipped_on,

        -- -------- timestamps
        convert_tz(created, @@session.time_zone, '+00:00') as created_at,
        cast(placed_on as datetime(6)) as placed_on,

        -- -------- semi-structured
        payload,

        -- -------- other
        bits

    from source

)

select * from renamed

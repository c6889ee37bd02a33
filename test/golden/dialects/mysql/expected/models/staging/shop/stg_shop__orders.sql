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
        status,

        -- -------- numerics
        amount,
        `rank`,

        -- -------- booleans
        active as is_active,

        -- -------- dates
        shipped_on,

        -- -------- timestamps
        convert_tz(created, @@session.time_zone, '+00:00') as created_at,
        placed_on,

        -- -------- semi-structured
        payload,

        -- -------- other
        bits

    from source

)

select * from renamed

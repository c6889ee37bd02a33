with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id,
        customerId as customer_id,

        ---------- strings
        status,

        ---------- numerics
        amount,
        `rank` as order_rank,

        ---------- booleans
        active as is_active,

        ---------- dates
        shipped_on as shipped_date,

        ---------- timestamps
        convert_tz(created, @@session.time_zone, '+00:00') as created_at,
        placed_on as placed_at,

        ---------- semi-structured
        payload,

        ---------- other
        bits

    from source

)

select * from renamed

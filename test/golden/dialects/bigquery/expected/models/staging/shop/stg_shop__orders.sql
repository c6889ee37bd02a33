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
        `order` as order_value,

        ---------- numerics
        amount,

        ---------- booleans
        active as is_active,

        ---------- dates
        shipped_on,

        ---------- timestamps
        created as created_at,
        local_time,

        ---------- semi-structured
        address,
        tags,
        payload,

        ---------- other
        `raw bytes` as raw_bytes

    from source

)

select * from renamed

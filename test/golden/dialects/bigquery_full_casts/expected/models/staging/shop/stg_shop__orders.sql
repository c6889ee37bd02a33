with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        cast(id as int64) as order_id,
        cast(customerId as int64) as customer_id,

        ---------- strings
        cast(`order` as string) as order_value,

        ---------- numerics
        cast(amount as numeric(18, 2)) as amount,

        ---------- booleans
        cast(active as bool) as is_active,

        ---------- dates
        cast(shipped_on as date) as shipped_on,

        ---------- timestamps
        cast(created as timestamp) as created_at,
        cast(local_time as datetime) as local_time,

        ---------- semi-structured
        address,
        tags,
        payload,

        ---------- other
        `raw bytes` as raw_bytes

    from source

)

select * from renamed

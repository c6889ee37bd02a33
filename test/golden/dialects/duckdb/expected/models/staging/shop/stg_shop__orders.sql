with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        ID as order_id,
        customerId as customer_id,
        uuid,

        ---------- strings
        "desc" as order_desc,
        mood,

        ---------- numerics
        amount,

        ---------- booleans
        active as is_active,

        ---------- dates
        shipped_on,

        ---------- timestamps
        created at time zone 'UTC' as created_at,

        ---------- semi-structured
        address,
        tags,
        props,
        payload

    from source

)

select * from renamed

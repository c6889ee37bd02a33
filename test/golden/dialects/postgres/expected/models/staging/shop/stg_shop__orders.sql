with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id,
        "customerId" as customer_id,

        ---------- strings
        "user" as order_user,
        "order" as order_value,
        status,

        ---------- numerics
        amount,
        cast(price as numeric(19, 2)) as price,

        ---------- booleans
        active as is_active,

        ---------- dates
        "shippedOn" as shipped_on,

        ---------- timestamps
        created at time zone 'UTC' as created_at,

        ---------- semi-structured
        tags,
        payload,

        ---------- other
        range,
        blob,
        opens,
        odd

    from source

)

select * from renamed

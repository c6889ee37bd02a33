with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id,
        customer_id,

        ---------- strings
        "order" as order_value,
        "tag",

        ---------- numerics
        amount,

        ---------- booleans
        active as is_active,

        ---------- dates
        shipped_on,

        ---------- timestamps
        created at time zone 'utc' as created_at,

        ---------- semi-structured
        payload

    from source

)

select * from renamed

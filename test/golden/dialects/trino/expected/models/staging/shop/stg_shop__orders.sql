with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id,
        customerid as customer_id,

        ---------- strings
        "skip",

        ---------- numerics
        amount,

        ---------- booleans
        active as is_active,

        ---------- dates
        shipped_on,

        ---------- timestamps
        cast(created at time zone 'UTC' as timestamp(6)) as created_at,
        updated as updated_at,

        ---------- semi-structured
        address,
        tags,
        payload

    from source

)

select * from renamed

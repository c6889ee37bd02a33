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
        "lower_case" as lower_case,
        "Mixed Case" as mixed_case,
        "ORDER" as order_value,

        ---------- numerics
        amount,
        price$ as price,

        ---------- booleans
        is_paid,

        ---------- dates
        shipped_on,

        ---------- timestamps
        cast(convert_timezone('UTC', created) as timestamp_ntz) as created_at,
        cast(convert_timezone('UTC', loaded) as timestamp_ntz) as loaded_at,

        ---------- semi-structured
        payload,
        tags,

        ---------- other
        place

    from source

)

select * from renamed

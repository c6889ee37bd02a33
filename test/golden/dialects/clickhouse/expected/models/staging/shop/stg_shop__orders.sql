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
        name,

        ---------- numerics
        amount,

        ---------- booleans
        active as is_active,

        ---------- dates
        day,

        ---------- timestamps
        created as created_at,

        ---------- semi-structured
        tags,
        props

    from source

)

select * from renamed

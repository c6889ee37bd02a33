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
        `left` as order_left,
        `a``b` as a_b,

        ---------- numerics
        amount,

        ---------- booleans
        active as is_active,

        ---------- dates
        shipped_on,

        ---------- timestamps
        created as created_at,
        local,

        ---------- semi-structured
        address,
        tags,
        props

    from source

)

select * from renamed

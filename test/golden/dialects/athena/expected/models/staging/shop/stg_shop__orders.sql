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
        date,

        ---------- numerics
        amount,

        ---------- booleans
        active as is_active,

        ---------- dates
        shipped_on,

        ---------- timestamps
        created as created_at,

        ---------- semi-structured
        address,
        tags

    from source

)

select * from renamed

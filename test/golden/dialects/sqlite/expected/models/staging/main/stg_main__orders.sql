with

source as (

    select * from {{ source('main', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id,
        customerId as customer_id,

        ---------- strings
        "order" as order_value,
        note,

        ---------- numerics
        amount,

        ---------- booleans
        active as is_active,

        ---------- dates
        shipped_on,

        ---------- timestamps
        created as created_at,

        ---------- other
        anything

    from source

)

select * from renamed

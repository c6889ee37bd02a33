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
        cast("order" as text) as order_value,
        cast(note as text) as note,

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

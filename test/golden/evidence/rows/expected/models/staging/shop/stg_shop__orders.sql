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
        status,

        ---------- numerics
        level,
        total_price,

        ---------- timestamps
        created_at

    from source

)

select * from renamed

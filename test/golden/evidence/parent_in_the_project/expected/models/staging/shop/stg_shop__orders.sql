with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id,
        customer_id,
        parent_order_id,

        ---------- strings
        reference

    from source

)

select * from renamed

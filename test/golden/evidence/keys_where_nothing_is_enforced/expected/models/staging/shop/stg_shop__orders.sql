with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        "id" as order_id,
        "customer_id" as customer_id,
        "parent_order_id" as parent_order_id,

        ---------- strings
        "reference" as reference

    from source

)

select * from renamed

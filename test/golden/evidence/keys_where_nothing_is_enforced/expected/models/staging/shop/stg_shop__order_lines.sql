with

source as (

    select * from {{ source('shop', 'order_lines') }}

),

renamed as (

    select
        ---------- ids
        "order_id" as order_id,
        "line" as line,

        ---------- strings
        "sku" as sku,
        "order_status" as order_status

    from source

)

select * from renamed

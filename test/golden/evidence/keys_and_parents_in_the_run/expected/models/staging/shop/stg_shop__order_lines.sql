with

source as (

    select * from {{ source('shop', 'order_lines') }}

),

renamed as (

    select
        ---------- ids
        order_id,
        line,

        ---------- strings
        sku,
        order_status

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        "id" as order_id,
        "cust" as cust,

        ---------- strings
        "st" as st,
        "note" as note,

        ---------- numerics
        cast("amt_c" as number(38, 9)) as amt_c,
        "ord_ts" as ord_ts

    from source

)

select * from renamed

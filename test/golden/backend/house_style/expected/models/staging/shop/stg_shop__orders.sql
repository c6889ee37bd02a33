with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id,
        cust as buyer_id,

        ---------- strings
        st as order_state,
        note,

        ---------- numerics
        amt_c,
        ord_ts

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id,
        cust as customer_id,

        ---------- strings
        st as status,
        note,

        ---------- numerics
        cast(amt_c / 100.0 as numeric(16, 2)) as amount,

        ---------- timestamps
        to_timestamp(ord_ts) at time zone 'UTC' as ordered_at

    from source

)

select * from renamed

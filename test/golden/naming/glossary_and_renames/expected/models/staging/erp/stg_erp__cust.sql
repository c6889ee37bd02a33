with

source as (

    select * from {{ source('erp', 'cust') }}

),

renamed as (

    select
        ---------- ids
        "cust_no" as customer_no,

        ---------- strings
        "weird" as not_so_weird,

        ---------- numerics
        "acct_bal_amt" as account_balance_amount,
        "order_amt" as order_amount,

        ---------- dates
        "ord_dt" as order_date

    from source

)

select * from renamed

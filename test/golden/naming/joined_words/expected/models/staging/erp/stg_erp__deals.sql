with

source as (

    select * from {{ source('erp', 'deals') }}

),

renamed as (

    select
        ---------- ids
        id as "DealId",
        account_id as "AccountId",

        ---------- strings
        "ORDER" as "DealOrder",
        line_2 as "Line2_2",
        "line2" as "Line2",
        "cust_no" as "CustomerNumber",

        ---------- booleans
        active as "IsActive",

        ---------- timestamps
        created as "CreatedAt",

        ---------- metadata
        cast(convert_timezone('UTC', _fivetran_synced) as timestamp_ntz)
            as _fivetran_synced

    from source

)

select * from renamed

with

source as (

    select * from {{ source('crm', 'deals') }}

),

renamed as (

    select
        ---------- ids
        id as "dealId",
        account_id as "accountId",

        ---------- strings
        "ORDER" as "dealOrder",
        line_2 as line2_2,
        "line2" as line2,
        "cust_no" as "customerNumber",

        ---------- booleans
        active as "isActive",

        ---------- timestamps
        created as "createdAt",

        ---------- metadata
        cast(convert_timezone('UTC', _fivetran_synced) as timestamp_ntz)
            as _fivetran_synced

    from source

)

select * from renamed

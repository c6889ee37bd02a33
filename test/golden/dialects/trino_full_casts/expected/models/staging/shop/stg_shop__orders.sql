with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        cast(id as bigint) as order_id,
        cast(customerid as bigint) as customer_id,

        ---------- strings
        cast("skip" as varchar) as "skip",

        ---------- numerics
        cast(amount as decimal(18, 2)) as amount,

        ---------- booleans
        cast(active as boolean) as is_active,

        ---------- dates
        cast(shipped_on as date) as shipped_on,

        ---------- timestamps
        cast(created at time zone 'UTC' as timestamp(6)) as created_at,
        cast(updated as timestamp(6)) as updated_at,

        ---------- semi-structured
        address,
        tags,
        payload

    from source

)

select * from renamed

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
        cast(date as varchar) as date,

        ---------- numerics
        cast(amount as decimal(18, 2)) as amount,

        ---------- booleans
        cast(active as boolean) as is_active,

        ---------- dates
        cast(shipped_on as date) as shipped_on,

        ---------- timestamps
        cast(created as timestamp(3)) as created_at,

        ---------- semi-structured
        address,
        tags

    from source

)

select * from renamed

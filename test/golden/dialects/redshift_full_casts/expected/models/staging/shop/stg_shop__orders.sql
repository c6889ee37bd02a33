with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        cast(id as bigint) as order_id,
        cast(customer_id as bigint) as customer_id,

        ---------- strings
        cast("order" as varchar(65535)) as order_value,
        cast("tag" as varchar(65535)) as "tag",

        ---------- numerics
        cast(amount as numeric(18, 2)) as amount,

        ---------- booleans
        cast(active as boolean) as is_active,

        ---------- dates
        cast(shipped_on as date) as shipped_on,

        ---------- timestamps
        created at time zone 'utc' as created_at,

        ---------- semi-structured
        payload

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        cast(ID as bigint) as order_id,
        cast(customerId as bigint) as customer_id,
        cast(uuid as uuid) as uuid,

        ---------- strings
        cast("desc" as varchar) as order_desc,
        cast(mood as varchar) as mood,

        ---------- numerics
        cast(amount as decimal(18, 2)) as amount,

        ---------- booleans
        cast(active as boolean) as is_active,

        ---------- dates
        cast(shipped_on as date) as shipped_on,

        ---------- timestamps
        created at time zone 'UTC' as created_at,

        ---------- semi-structured
        address,
        tags,
        props,
        payload

    from source

)

select * from renamed

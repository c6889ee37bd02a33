with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        cast(id as bigint) as order_id,
        cast("customerId" as bigint) as customer_id,

        ---------- strings
        cast("user" as text) as order_user,
        cast("order" as text) as order_value,
        cast(status as text) as status,

        ---------- numerics
        cast(amount as numeric(18, 2)) as amount,
        cast(price as numeric(19, 2)) as price,

        ---------- booleans
        cast(active as boolean) as is_active,

        ---------- dates
        cast("shippedOn" as date) as shipped_on,

        ---------- timestamps
        created at time zone 'UTC' as created_at,

        ---------- semi-structured
        tags,
        payload,

        ---------- other
        range,
        blob,
        cast(opens as time without time zone) as opens,
        odd

    from source

)

select * from renamed

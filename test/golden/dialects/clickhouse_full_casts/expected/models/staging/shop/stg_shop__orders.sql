with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id,
        customerId as customer_id,

        ---------- strings
        cast(status as Nullable(String)) as status,
        cast(name as Nullable(String)) as name,

        ---------- numerics
        amount,

        ---------- booleans
        cast(active as Nullable(Bool)) as is_active,

        ---------- dates
        cast(day as Nullable(Date32)) as order_day,

        ---------- timestamps
        cast(created as Nullable(DateTime64(6, 'UTC'))) as created_at,

        ---------- semi-structured
        tags,
        props

    from source

)

select * from renamed

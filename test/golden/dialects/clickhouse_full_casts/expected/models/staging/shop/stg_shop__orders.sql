with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        cast(id as UInt64) as order_id,
        cast(customerId as UInt64) as customer_id,

        ---------- strings
        cast(status as LowCardinality(String)) as status,
        cast(name as Nullable(String)) as name,

        ---------- numerics
        cast(amount as Decimal(18, 2)) as amount,

        ---------- booleans
        cast(active as Bool) as is_active,

        ---------- dates
        cast(day as Date) as day,

        ---------- timestamps
        cast(created as DateTime64(3, 'UTC')) as created_at,

        ---------- semi-structured
        tags,
        props

    from source

)

select * from renamed

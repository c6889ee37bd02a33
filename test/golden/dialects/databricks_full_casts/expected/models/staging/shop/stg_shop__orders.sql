with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        cast(id as bigint) as order_id,
        cast(customerId as bigint) as customer_id,

        ---------- strings
        cast(`left` as string) as order_left,
        cast(`a``b` as string) as a_b,

        ---------- numerics
        cast(amount as decimal(18, 2)) as amount,

        ---------- booleans
        cast(active as boolean) as is_active,

        ---------- dates
        cast(shipped_on as date) as shipped_on,

        ---------- timestamps
        cast(created as timestamp) as created_at,
        cast(local as timestamp_ntz) as local,

        ---------- semi-structured
        address,
        tags,
        props

    from source

)

select * from renamed

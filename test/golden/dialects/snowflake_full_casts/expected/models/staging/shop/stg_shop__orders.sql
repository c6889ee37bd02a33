with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        cast(id as number(38, 0)) as order_id,
        cast(customer_id as number(38, 0)) as customer_id,

        ---------- strings
        cast("lower_case" as varchar) as lower_case,
        cast("Mixed Case" as varchar) as mixed_case,
        cast("ORDER" as varchar) as order_value,

        ---------- numerics
        cast(amount as number(18, 2)) as amount,
        cast(price$ as float) as price,

        ---------- booleans
        cast(is_paid as boolean) as is_paid,

        ---------- dates
        cast(shipped_on as date) as shipped_on,

        ---------- timestamps
        cast(convert_timezone('UTC', created) as timestamp_ntz) as created_at,
        cast(convert_timezone('UTC', loaded) as timestamp_ntz) as loaded_at,

        ---------- semi-structured
        payload,
        tags,

        ---------- other
        place

    from source

)

select * from renamed

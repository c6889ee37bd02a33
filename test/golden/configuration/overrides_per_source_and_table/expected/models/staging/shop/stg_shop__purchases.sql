with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as purchase_id

        ---------- numerics
        , cast(amt / 100.0 as numeric(16, 2)) as amount

        ---------- booleans
        , case
            when lower(trim(is_open)) in ('1', 'y', 'yes', 't', 'true', 'on')
                then true
            when lower(trim(is_open)) in ('0', 'n', 'no', 'f', 'false', 'off')
                then false
        end as is_open

        ---------- timestamps
        , to_timestamp(ts / 1000.0) at time zone 'UTC' as placed_at

    from source

)

select * from renamed

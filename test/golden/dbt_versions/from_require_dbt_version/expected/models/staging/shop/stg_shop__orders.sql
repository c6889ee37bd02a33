with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id,
        shop,

        ---------- strings
        status,

        ---------- numerics
        rank,

        ---------- metadata
        _loaded_at at time zone 'UTC' as _loaded_at

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'returns') }}

),

renamed as (

    select
        ---------- ids
        id as return_id,
        order_id,
        line

    from source

)

select * from renamed

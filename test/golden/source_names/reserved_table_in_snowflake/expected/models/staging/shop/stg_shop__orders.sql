with

source as (

    select * from {{ source('shop', 'order') }}

),

renamed as (

    select
        ---------- ids
        id as order_id

    from source

)

select * from renamed

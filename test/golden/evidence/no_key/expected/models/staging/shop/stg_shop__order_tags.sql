with

source as (

    select * from {{ source('shop', 'order_tags') }}

),

renamed as (

    select
        ---------- ids
        order_id,
        tag_id

    from source

)

select * from renamed

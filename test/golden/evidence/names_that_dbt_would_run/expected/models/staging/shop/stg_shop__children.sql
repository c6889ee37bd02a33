with

source as (

    select * from {{ source('shop', 'children') }}

),

renamed as (

    select
        ---------- ids
        id,
        secret

    from source

)

select * from renamed

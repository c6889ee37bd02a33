with

source as (

    select * from {{ source('shop', 'notes') }}

),

renamed as (

    select
        -- -------- ids
        id as note_id,

        -- -------- strings
        kind,

        -- -------- numerics
        level

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'notes') }}

),

renamed as (

    select
        ---------- ids
        id as note_id,

        ---------- strings
        kind

    from source

)

select * from renamed

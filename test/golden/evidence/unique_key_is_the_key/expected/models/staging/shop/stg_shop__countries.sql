with

source as (

    select * from {{ source('shop', 'countries') }}

),

renamed as (

    select
        ---------- ids
        code,

        ---------- strings
        name

    from source

)

select * from renamed

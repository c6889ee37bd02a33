with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id,

        ---------- booleans
        active,

        ---------- dates
        shipped,

        ---------- timestamps
        created

    from source

)

select * from renamed

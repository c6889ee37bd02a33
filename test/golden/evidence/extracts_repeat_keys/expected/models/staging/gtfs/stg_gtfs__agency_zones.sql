with

source as (

    select * from {{ source('gtfs', 'agency_zone') }}

),

renamed as (

    select
        ---------- ids
        zone_id,
        agency_id

    from source

)

select * from renamed

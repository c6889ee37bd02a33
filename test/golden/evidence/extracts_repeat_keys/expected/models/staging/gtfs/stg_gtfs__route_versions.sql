with

source as (

    select * from {{ source('gtfs', 'route_versions') }}

),

renamed as (

    select
        ---------- ids
        id as route_version_id,

        ---------- timestamps
        valid_from

    from source

)

select * from renamed

with

source as (

    select * from {{ source('gtfs', 'fare_zone') }}

),

renamed as (

    select
        ---------- ids
        zone_no,

        ---------- strings
        label

    from source

)

select * from renamed

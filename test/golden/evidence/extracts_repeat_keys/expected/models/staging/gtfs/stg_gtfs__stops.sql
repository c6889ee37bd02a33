with

source as (

    select * from {{ source('gtfs', 'stops') }}

),

renamed as (

    select
        ---------- ids
        stop_id,

        ---------- dates
        dt,

        ---------- timestamps
        ts

    from source

)

select * from renamed

with

source as (

    select * from {{ source('analytics_123', 'events') }}

),

renamed as (

    select
        ---------- strings
        event_name,

        ---------- numerics
        event_timestamp

    from source

)

select * from renamed

with

source as (

    select * from {{ source('crm', 'accounts') }}

),

deduplicated as (

    select *
    from source
    qualify
        row_number() over (
            partition by event_id
            order by
                collector_tstamp,
                dvce_created_tstamp
        ) = 1

),

renamed as (

    select
        ---------- ids
        event_id,
        app_id,

        ---------- timestamps
        dvce_created_tstamp,

        ---------- metadata
        collector_tstamp,
        load_tstamp,
        event_fingerprint

    from deduplicated

)

select * from renamed

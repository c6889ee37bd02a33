with

source as (

    select * from {{ source('cloudtrail', 'events') }}

),

renamed as (

    select
        ---------- ids
        changesetid as changeset_id,
        netsuiteid as netsuite_id,

        ---------- strings
        eventsource as event_source,
        awsregion as aws_region,
        sourceipaddress as source_ip_address,

        ---------- booleans
        isreadonly as is_read_only,

        ---------- timestamps
        eventtime as event_time

    from source

)

select * from renamed

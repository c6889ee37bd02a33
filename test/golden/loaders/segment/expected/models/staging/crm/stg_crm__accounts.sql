with

source as (

    select * from {{ source('crm', 'accounts') }}

),

deduplicated as (

    select *
    from source
    qualify
        row_number() over (
            partition by id
            order by
                received_at desc nulls last,
                uuid_ts desc nulls last
        ) = 1

),

renamed as (

    select
        ---------- ids
        id as account_id,
        user_id,

        ---------- strings
        event,
        context_ip,

        ---------- timestamps
        "timestamp",

        ---------- metadata
        received_at,
        sent_at,
        original_timestamp,
        uuid_ts

    from deduplicated

)

select * from renamed

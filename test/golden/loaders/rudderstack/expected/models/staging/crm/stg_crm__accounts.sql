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
                received_at desc nulls last
        ) = 1

),

renamed as (

    select
        ---------- ids
        id as account_id,
        anonymous_id,

        ---------- strings
        event,
        context_ip,

        ---------- metadata
        received_at,
        sent_at,
        original_timestamp,
        loaded_at

    from deduplicated

)

select * from renamed

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
                _sdc_sequence desc nulls last,
                _sdc_batched_at desc nulls last
        ) = 1

),

active as (

    select *
    from deduplicated
    where _sdc_deleted_at is null

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        _sdc_batched_at,
        _sdc_extracted_at,
        _sdc_sequence,
        _sdc_sync_started_at,
        _sdc_deleted_at

    from active

)

select * from renamed

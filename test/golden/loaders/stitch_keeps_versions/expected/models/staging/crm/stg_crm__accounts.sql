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
                _sdc_batched_at desc nulls last,
                _sdc_received_at desc nulls last
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
        cast(convert_timezone('UTC', _sdc_batched_at) as timestamp_ntz)
            as _sdc_batched_at,
        cast(convert_timezone('UTC', _sdc_received_at) as timestamp_ntz)
            as _sdc_received_at,
        _sdc_sequence,
        _sdc_table_version,
        cast(convert_timezone('UTC', _sdc_deleted_at) as timestamp_ntz)
            as _sdc_deleted_at

    from active

)

select * from renamed

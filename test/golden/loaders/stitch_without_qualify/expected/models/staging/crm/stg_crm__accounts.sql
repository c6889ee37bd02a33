with

source as (

    select * from {{ source('crm', 'accounts') }}

),

numbered as (

    select
        *,
        row_number() over (
            partition by id
            order by
                _sdc_sequence desc nulls last,
                _sdc_batched_at desc nulls last
        ) as __row_number

    from source

),

deduplicated as (

    select *
    from numbered
    where __row_number = 1

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

        ---------- numerics
        _row_number,

        ---------- metadata
        _sdc_batched_at at time zone 'UTC' as _sdc_batched_at,
        _sdc_sequence,
        _sdc_deleted_at at time zone 'UTC' as _sdc_deleted_at

    from active

)

select * from renamed

with

source as (

    select * from {{ source('crm', 'accounts') }}

),

active as (

    select *
    from source
    where _sdc_deleted_at is null

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        _sdc_sequence,
        _sdc_batched_at at time zone 'UTC' as _sdc_batched_at,
        _sdc_deleted_at at time zone 'UTC' as _sdc_deleted_at

    from active

)

select * from renamed

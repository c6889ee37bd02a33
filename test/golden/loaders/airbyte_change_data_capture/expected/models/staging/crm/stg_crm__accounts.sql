with

source as (

    select * from {{ source('crm', 'accounts') }}

),

active as (

    select *
    from source
    where _ab_cdc_deleted_at is null

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        _ab_cdc_deleted_at,
        _ab_cdc_lsn,
        _airbyte_raw_id,
        _airbyte_extracted_at at time zone 'UTC' as _airbyte_extracted_at

    from active

)

select * from renamed

with

source as (

    select * from {{ source('crm', 'accounts') }}

),

active as (

    select *
    from source
    where coalesce(mtln_cdc_last_change_type, '') <> 'D'

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        mtln_cdc_last_change_type,
        mtln_cdc_load_timestamp,
        mtln_cdc_sequence_number

    from active

)

select * from renamed

with

source as (

    select * from {{ source('crm', 'accounts') }}

),

active as (

    select *
    from source
    where _sling_deleted_at is null

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        _sling_loaded_at,
        _sling_deleted_at,
        _sling_row_id

    from active

)

select * from renamed

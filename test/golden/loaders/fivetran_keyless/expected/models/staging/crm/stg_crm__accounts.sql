with

source as (

    select * from {{ source('crm', 'accounts') }}

),

active as (

    select *
    from source
    where not coalesce(_fivetran_deleted, false)

),

renamed as (

    select
        ---------- strings
        name,

        ---------- numerics
        value,

        ---------- metadata
        _fivetran_id,
        _fivetran_synced at time zone 'utc' as _fivetran_synced,
        _fivetran_deleted

    from active

)

select * from renamed

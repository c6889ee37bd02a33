with

source as (

    select * from {{ source('shop', 'customers') }}

),

active as (

    select *
    from source
    where not coalesce(_fivetran_deleted, false)

),

renamed as (

    select
        ---------- ids
        id as customer_id,

        ---------- metadata
        _fivetran_deleted,
        _fivetran_synced at time zone 'UTC' as _fivetran_synced

    from active

)

select * from renamed

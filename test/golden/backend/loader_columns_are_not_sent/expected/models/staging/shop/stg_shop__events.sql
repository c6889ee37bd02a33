with

source as (

    select * from {{ source('shop', 'events') }}

),

active as (

    select *
    from source
    where not coalesce("_fivetran_deleted", false)

),

renamed as (

    select
        ---------- ids
        "id" as event_id,

        ---------- strings
        "val" as value,

        ---------- metadata
        "_fivetran_deleted" as _fivetran_deleted,
        cast(convert_timezone('UTC', "_fivetran_synced") as timestamp_ntz)
            as _fivetran_synced

    from active

)

select * from renamed

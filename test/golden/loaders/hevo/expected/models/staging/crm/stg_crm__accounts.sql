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
                __hevo__source_modified_at desc nulls last,
                __hevo__ingested_at desc nulls last
        ) = 1

),

active as (

    select *
    from deduplicated
    where not coalesce(__hevo__marked_deleted, false)

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        __hevo__ingested_at,
        __hevo__loaded_at,
        __hevo__marked_deleted,
        __hevo__source_modified_at

    from active

)

select * from renamed

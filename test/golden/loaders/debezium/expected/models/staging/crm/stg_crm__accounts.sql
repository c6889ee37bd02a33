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
                __lsn desc nulls last,
                __ts_ms desc nulls last
        ) = 1

),

active as (

    select *
    from deduplicated
    where coalesce(__deleted, '') <> 'true'

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        __op,
        __deleted,
        __lsn,
        __ts_ms

    from active

)

select * from renamed

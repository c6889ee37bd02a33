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
                _peerdb_version desc nulls last,
                _peerdb_synced_at desc nulls last
        ) = 1

),

active as (

    select *
    from deduplicated
    where coalesce(_peerdb_is_deleted, 0) = 0

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        _peerdb_synced_at,
        _peerdb_is_deleted,
        _peerdb_version

    from active

)

select * from renamed

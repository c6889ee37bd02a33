with

source as (

    select * from {{ source('crm', 'accounts') }}

),

active as (

    select *
    from source
    where coalesce("_meta/op", '') <> 'd'

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        "_meta/op" as _meta_op,
        "_meta/uuid" as _meta_uuid,
        flow_published_at at time zone 'UTC' as flow_published_at,
        flow_document

    from active

)

select * from renamed

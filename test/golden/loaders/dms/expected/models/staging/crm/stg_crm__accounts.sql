with

source as (

    select * from {{ source('crm', 'accounts') }}

),

numbered as (

    select
        *,
        row_number() over (
            partition by id
            order by
                dms_timestamp desc nulls last
        ) as _row_number

    from source

),

deduplicated as (

    select *
    from numbered
    where _row_number = 1

),

active as (

    select *
    from deduplicated
    where coalesce(Op, '') <> 'D'

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        Op as op,
        dms_timestamp

    from active

)

select * from renamed

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
                header__change_seq desc
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
    where coalesce(header__change_oper, '') <> 'D'

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        header__change_oper,
        header__change_seq,
        header__timestamp

    from active

)

select * from renamed

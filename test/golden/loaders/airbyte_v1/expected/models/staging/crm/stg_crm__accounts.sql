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
                _airbyte_emitted_at desc nulls last,
                _airbyte_ab_id desc nulls last
        ) = 1

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        _airbyte_ab_id,
        cast(convert_timezone('UTC', _airbyte_emitted_at) as timestamp_ntz)
            as _airbyte_emitted_at,
        _airbyte_users_hashid

    from deduplicated

)

select * from renamed

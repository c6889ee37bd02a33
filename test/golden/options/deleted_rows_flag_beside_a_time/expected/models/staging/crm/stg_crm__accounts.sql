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
                _sdc_sequence desc,
                _sdc_batched_at desc
        ) as _row_number

    from source

),

deduplicated as (

    select *
    from numbered
    where _row_number = 1

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- booleans
        cast(case when _sdc_deleted_at is not null then 1 else 0 end as bit)
            as is_deleted,

        ---------- metadata
        _sdc_sequence,
        cast(_sdc_batched_at at time zone 'UTC' as datetime2(6))
            as _sdc_batched_at,
        cast(_sdc_deleted_at at time zone 'UTC' as datetime2(6))
            as _sdc_deleted_at

    from deduplicated

)

select * from renamed

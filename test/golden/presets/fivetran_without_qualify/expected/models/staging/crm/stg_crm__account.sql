with base as (

    select *
    from {{ source('crm', 'accounts') }}
),

numbered as (

    select
        *,
        row_number() over (
            partition by id
            order by
                _sdc_sequence desc nulls last,
                _sdc_batched_at desc nulls last
        ) as _row_number
    from base
),

fields as (

    select *
    from numbered
    where _row_number = 1
),

final as (

    select
        id as account_id,
        name,
        _sdc_sequence,
        _sdc_batched_at at time zone 'UTC' as _sdc_batched_at,
        _sdc_deleted_at at time zone 'UTC' as _sdc_deleted_at
    from fields
    where _sdc_deleted_at is null
)

select *
from final

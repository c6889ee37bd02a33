{% snapshot snap_crm__accounts %}

{{
    config(
      unique_key = 'id',
      strategy = 'check',
      check_cols = ['id', 'name']
    )
}}

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
                _sdc_sequence desc nulls last,
                _sdc_batched_at desc nulls last
        ) as _row_number

    from source

),

deduplicated as (

    select *
    from numbered
    where _row_number = 1

),

final as (

    select
        id,
        name,
        _sdc_sequence,
        _sdc_batched_at

    from deduplicated

)

select * from final

{% endsnapshot %}

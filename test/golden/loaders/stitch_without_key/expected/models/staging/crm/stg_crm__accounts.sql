with

source as (

    select * from {{ source('crm', 'accounts') }}

),

renamed as (

    select
        ---------- strings
        name,

        ---------- numerics
        value,

        ---------- metadata
        _sdc_batched_at at time zone 'UTC' as _sdc_batched_at,
        _sdc_sequence

    from source

)

select * from renamed

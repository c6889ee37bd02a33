with

source as (

    select * from {{ source('crm', 'accounts') }}

),

renamed as (

    select
        ---------- semi-structured
        _airbyte_data,

        ---------- metadata
        _airbyte_raw_id,
        _airbyte_extracted_at at time zone 'UTC' as _airbyte_extracted_at

    from source

)

select * from renamed

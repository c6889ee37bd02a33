with

source as (

    select * from {{ source('crm', 'accounts') }}

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        name,

        ---------- metadata
        cast(convert_timezone('UTC', _dlt_valid_from) as timestamp_ntz)
            as _dlt_valid_from,
        cast(convert_timezone('UTC', _dlt_valid_to) as timestamp_ntz)
            as _dlt_valid_to,
        _dlt_id,
        _dlt_load_id

    from source

)

select * from renamed

with

source as (

    select * from {{ source('crm', 'accounts') }}

),

renamed as (

    select
        ---------- strings
        name,

        ---------- numerics
        spend,

        ---------- metadata
        _dlt_id,
        _dlt_load_id

    from source

)

select * from renamed

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
        _rivery_last_update,
        _rivery_river_id,
        _rivery_run_id

    from source

)

select * from renamed

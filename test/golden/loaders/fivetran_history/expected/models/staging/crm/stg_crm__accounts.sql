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
        _fivetran_start,
        _fivetran_active,
        _fivetran_end,
        _fivetran_synced

    from source

)

select * from renamed

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
        __START_AT as __start_at,
        __END_AT as __end_at,
        _rescued_data

    from source

)

select * from renamed

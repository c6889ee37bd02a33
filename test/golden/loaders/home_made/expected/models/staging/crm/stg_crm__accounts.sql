with

source as (

    select * from {{ source('crm', 'accounts') }}

),

renamed as (

    select
        -- -------- ids
        id as account_id,

        -- -------- strings
        name,

        -- -------- metadata
        _loaded_at,
        _batch_id

    from source

)

select * from renamed

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
        datastream_metadata

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'customers') }}

),

renamed as (

    select
        ---------- ids
        id as customer_id,

        ---------- strings
        contact,
        homepage,
        details

    from source

)

select * from renamed

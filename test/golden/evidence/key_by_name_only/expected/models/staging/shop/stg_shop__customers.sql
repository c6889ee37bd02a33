with

source as (

    select * from {{ source('shop', 'customers') }}

),

renamed as (

    select
        ---------- ids
        customer_id,
        region_id,

        ---------- strings
        email

    from source

)

select * from renamed

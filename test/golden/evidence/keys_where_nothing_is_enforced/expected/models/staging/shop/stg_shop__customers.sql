with

source as (

    select * from {{ source('shop', 'customers') }}

),

renamed as (

    select
        ---------- ids
        "id" as customer_id,

        ---------- strings
        "email" as email

    from source

)

select * from renamed

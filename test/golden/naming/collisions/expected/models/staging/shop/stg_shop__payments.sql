with

source as (

    select * from {{ source('shop', 'payments') }}

),

renamed as (

    select
        ---------- ids
        "Id" as payment_id,
        "ID" as payment_id_2,

        ---------- strings
        "first name" as first_name_2,
        first_name,
        "firstName" as first_name_3,

        ---------- timestamps
        created as created_at_2,
        created_at

    from source

)

select * from renamed

with

source as (

    select * from {{ source('stripe', 'payments') }}

),

renamed as (

    select
        ---------- ids
        id as payment_id

    from source

)

select * from renamed

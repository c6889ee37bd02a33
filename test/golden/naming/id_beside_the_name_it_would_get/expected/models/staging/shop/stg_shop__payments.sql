with

source as (

    select * from {{ source('shop', 'payments') }}

),

renamed as (

    select
        ---------- ids
        id,
        payment_id

    from source

)

select * from renamed

with

source as (

    select * from {{ source('stripe', 'payments') }}

),

renamed as (

    select
        id as payment_id
        , customer_id
        , amount
        , currency
        , status
        , captured as is_captured
        , created at time zone 'UTC' as created_at
        , updated as updated_at
        , metadata

    from source

)

select * from renamed

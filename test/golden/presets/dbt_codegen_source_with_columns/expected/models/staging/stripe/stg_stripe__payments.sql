

with source as (

    select * from {{ source('stripe', 'payments') }}

),

renamed as (

    select
        id,
        email,
        total

    from source

)

select * from renamed




with source as (

    select * from {{ source('stripe', 'customers') }}

),

renamed as (

    select
        id,
        email,
        total

    from source

)

select * from renamed


with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        no,
        customer,
        region,

        ---------- numerics
        discount,

        ---------- dates
        touched as touched_date

    from source

)

select * from renamed

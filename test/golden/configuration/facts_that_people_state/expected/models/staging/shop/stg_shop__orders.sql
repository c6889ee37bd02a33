with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        no,

        ---------- strings
        region,

        ---------- numerics
        customer,
        discount,

        ---------- dates
        touched as touched_date

    from source

)

select * from renamed

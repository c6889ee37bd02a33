with

source as (

    select * from {{ source('shop', 'sales') }}

),

renamed as (

    select
        ---------- numerics
        total,

        ---------- dates
        day as sale_day

    from source

)

select * from renamed

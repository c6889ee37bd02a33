with

source as (

    select * from {{ source('shop', 'sales') }}

),

renamed as (

    select
        ---------- numerics
        total,

        ---------- dates
        day

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'customers') }}

),

renamed as (

    select
        ---------- ids
        ident,

        ---------- strings
        email,
        tax_no,
        tier,
        colour,
        shape,

        ---------- numerics
        level

    from source

)

select * from renamed

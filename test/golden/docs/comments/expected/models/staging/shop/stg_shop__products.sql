with

source as (

    select * from {{ source('shop', 'products') }}

),

renamed as (

    select
        ---------- ids
        id as product_id,

        ---------- strings
        name,
        a,
        b,
        c,
        d,
        e,
        f,
        g,
        h,

        ---------- numerics
        price

    from source

)

select * from renamed

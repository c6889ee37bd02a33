with

source as (

    select * from {{ source('shop', 'purchases') }}

),

renamed as (

    select
        ---------- ids
        pnr,
        pos,

        ---------- strings
        label,

        ---------- numerics
        buyer,
        payer,
        seller,
        rival

    from source

)

select * from renamed

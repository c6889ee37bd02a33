with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id,

        ---------- strings
        state,
        "⁦note⁩" as note,

        ---------- booleans
        "ad​min" as ad_min

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'features') }}

),

renamed as (

    select
        ---------- ids
        id as feature_id,

        ---------- strings
        f01 as feature_01,
        f02,
        f03,
        f04 as feature_04,
        f05,
        f06

    from source

)

select * from renamed

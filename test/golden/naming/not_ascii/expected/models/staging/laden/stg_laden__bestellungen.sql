with

source as (

    select * from {{ source('laden', 'bestellungen') }}

),

renamed as (

    select
        ---------- strings
        "naïve señor" as naive_senor,
        "名前" as column_3,
        "🚀" as column_4,
        "🚀 launch" as launch,
        "straße" as strasse,

        ---------- numerics
        "größe" as grosse

    from source

)

select * from renamed

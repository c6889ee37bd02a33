with

source as (

    select * from {{ source('shop', '_2024_orders') }}

),

renamed as (

    select
        ---------- strings
        "1st_name" as _1st_name,
        "a/b" as a_b,
        "c.d" as c_d,
        "e""f" as e_f,
        "g`h" as g_h,
        "i'j" as i_j,
        "{{ '{{' }} k }}" as k,
        "{{ '{%' }} l %}" as l,
        "-- m" as m,
        "*/ n" as n,
        "o;p" as o_p,

        ---------- numerics
        "$price" as price,

        ---------- booleans
        "2fa_enabled" as is_2fa_enabled

    from source

)

select * from renamed

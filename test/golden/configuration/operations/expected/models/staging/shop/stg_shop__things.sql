with

source as (

    select * from {{ source('shop', 'things') }}

),

renamed as (

    select
        ---------- strings
        cast(h as text) as h,

        ---------- numerics
        cast(a as bigint) as a,
        cast(b as numeric(38, 9)) as b,
        cast(c as double precision) as c,

        ---------- booleans
        case
            when j = 1 then true
            when j = 0 then false
        end as is_j,

        ---------- dates
        cast(d as date) as d_date,

        ---------- timestamps
        cast(e as timestamp) as e_at,
        to_timestamp(f) at time zone 'UTC' as f_at,
        to_timestamp(g / 1000000.0) at time zone 'UTC' as g_at,
        to_timestamp(cast(i as bigint) / 1000.0) at time zone 'UTC' as i_at

    from source

)

select * from renamed

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
        end as j,

        ---------- dates
        cast(d as date) as d,

        ---------- timestamps
        case
            when e ~ ':[0-9]{2}([.][0-9]+)? ?[+-][0-9]{2}(:?[0-9]{2})?$'
                then cast(e as timestamptz) at time zone 'UTC'
            else cast(e as timestamp)
        end as e,
        to_timestamp(f) at time zone 'UTC' as f,
        to_timestamp(g / 1000000.0) at time zone 'UTC' as g,
        to_timestamp(cast(i as bigint) / 1000.0) at time zone 'UTC' as i

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'flags') }}

),

renamed as (

    select
        ---------- ids
        id as flag_id,

        ---------- strings
        e,

        ---------- numerics
        f,
        quantity,

        ---------- booleans
        case
            when a_flag = 'Y' then true
            when a_flag = 'N' then false
        end as is_a,
        case
            when b = 'yes' then true
            when b = 'no' then false
        end as b,
        case
            when c = 1 then true
            when c = 0 then false
        end as c,
        case
            when d = 'T' then true
            when d = 'F' then false
        end as d

    from source

)

select * from renamed

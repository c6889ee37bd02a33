with

source as (

    select * from {{ source('shop', 'users') }}

),

renamed as (

    select
        ---------- ids
        id as user_id,

        ---------- strings
        cast(lower(trim(email)) as text) as email,
        cast(case when st = 'x' then 'cancelled' else st end as text) as status,

        ---------- numerics
        cast(coalesce(amt, 0) as numeric(10, 2)) as amount

    from source

)

select * from renamed

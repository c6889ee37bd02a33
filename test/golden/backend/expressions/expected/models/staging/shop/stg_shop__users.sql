with

source as (

    select * from {{ source('shop', 'users') }}

),

renamed as (

    select
        ---------- ids
        id as user_id,

        ---------- strings
        lower(trim(email)) as email,
        case when st = 'x' then 'cancelled' else st end as status,

        ---------- numerics
        amt

    from source

)

select * from renamed

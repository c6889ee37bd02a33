with

source as (

    select * from {{ source('shop', 'parents') }}

),

renamed as (

    select
        ---------- ids
        "env_var(""SECRET"")",
        part

    from source

)

select * from renamed

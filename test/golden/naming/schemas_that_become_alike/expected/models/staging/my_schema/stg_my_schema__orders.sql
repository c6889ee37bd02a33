with

source as (

    select * from {{ source('my_schema', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id

    from source

)

select * from renamed

with

source as (

    select * from {{ source('my_schema_2', 'orders') }}

),

renamed as (

    select
        ---------- ids
        id as order_id

    from source

)

select * from renamed

with

source as (

    select * from {{ source('my_schema_x', 'select') }}

),

renamed as (

    select
        ---------- ids
        id as select_id

    from source

)

select * from renamed

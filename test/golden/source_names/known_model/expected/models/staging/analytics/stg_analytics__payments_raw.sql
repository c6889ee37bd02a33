with

source as (

    select * from {{ ref('payments_raw') }}

),

renamed as (

    select
        ---------- ids
        id as payments_raw_id

    from source

)

select * from renamed

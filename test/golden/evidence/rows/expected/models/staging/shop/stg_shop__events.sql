with

source as (

    select * from {{ source('shop', 'events') }}

),

renamed as (

    select
        ---------- ids
        id as event_id,
        customer_id,

        ---------- strings
        kind,

        ---------- timestamps
        created_at

    from source

)

select * from renamed

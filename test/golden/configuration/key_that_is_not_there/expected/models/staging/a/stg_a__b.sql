with

source as (

    select * from {{ source('a', 'b') }}

),

renamed as (

    select
        ---------- ids
        id as b_id,
        customer_id,

        ---------- strings
        currency,
        status,

        ---------- numerics
        amount,

        ---------- booleans
        captured as is_captured,

        ---------- timestamps
        created at time zone 'UTC' as created_at,
        updated as updated_at,

        ---------- semi-structured
        metadata

    from source

)

select * from renamed

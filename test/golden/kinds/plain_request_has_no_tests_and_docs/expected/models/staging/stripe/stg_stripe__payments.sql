with

source as (

    select * from {{ source('stripe', 'payments') }}

),

renamed as (

    select
        ---------- ids
        "id" as payment_id,
        "customer_id" as customer_id,

        ---------- strings
        "currency" as currency,
        "status" as status,

        ---------- numerics
        "amount" as amount,

        ---------- booleans
        "captured" as is_captured,

        ---------- timestamps
        cast(convert_timezone('UTC', "created") as timestamp_ntz) as created_at,
        "updated" as updated_at,

        ---------- other
        "metadata" as metadata

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'users') }}

),

renamed as (

    select
        ---------- booleans
        active as is_active,
        is_admin,
        has_paid,
        email_verified as is_email_verified,
        deleted_flag as is_deleted,
        attachments,
        allow_email,
        "order" as is_order,
        "2fa" as user_2fa

    from source

)

select * from renamed

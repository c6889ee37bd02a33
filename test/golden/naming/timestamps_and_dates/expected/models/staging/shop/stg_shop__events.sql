with

source as (

    select * from {{ source('shop', 'events') }}

),

renamed as (

    select
        ---------- dates
        order_date,
        ordered_on,
        dob,
        date,
        report_month,
        shipped_at,

        ---------- timestamps
        created as created_at,
        create_time,
        date_created,
        updated_at,
        last_modified as last_modified_at,
        created_at_pt,
        timestamp,
        start_ts

    from source

)

select * from renamed

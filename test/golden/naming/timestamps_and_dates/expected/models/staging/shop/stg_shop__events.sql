with

source as (

    select * from {{ source('shop', 'events') }}

),

renamed as (

    select
        ---------- dates
        order_date,
        ordered_on as ordered_date,
        dob,
        date as event_date,
        report_month,
        shipped_at as shipped_date,

        ---------- timestamps
        created as created_at,
        create_time as created_at_2,
        date_created as created_at_3,
        updated_at,
        last_modified as last_modified_at,
        created_at_pt,
        timestamp as event_at,
        start_ts as started_at

    from source

)

select * from renamed

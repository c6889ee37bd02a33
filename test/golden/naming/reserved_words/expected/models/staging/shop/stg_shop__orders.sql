with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- strings
        "order" as order_order,
        "group" as order_group,
        "user" as order_user,
        type as order_type,
        "select" as order_select,
        status,

        ---------- dates
        date as order_date,
        "current_date" as order_current_date,

        ---------- timestamps
        timestamp as order_at

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- strings
        "order" as order_value,
        "group" as order_group,
        "user" as order_user,
        type,
        "select" as order_select,
        status,

        ---------- dates
        date,
        "current_date" as order_current_date,

        ---------- timestamps
        timestamp

    from source

)

select * from renamed

with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        Id as order_id,
        CustomerId as customer_id,
        Guid as guid,

        ---------- strings
        "User" as order_user,

        ---------- numerics
        Amount as amount,
        cast(Price as decimal(19, 4)) as price,

        ---------- booleans
        IsActive as is_active,
        cast(case
            when Flag = 'Y' then 1
            when Flag = 'N' then 0
        end as bit) as is_flag,

        ---------- dates
        ShippedDate as shipped_date,

        ---------- timestamps
        cast(CreatedOn at time zone 'UTC' as datetime2(6)) as created_on,
        ModifiedOn as modified_on,

        ---------- other
        RowVer as row_ver

    from source

)

select * from renamed

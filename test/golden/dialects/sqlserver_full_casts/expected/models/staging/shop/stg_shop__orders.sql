with

source as (

    select * from {{ source('shop', 'orders') }}

),

renamed as (

    select
        ---------- ids
        cast(Id as bigint) as order_id,
        cast(CustomerId as bigint) as customer_id,
        cast(Guid as uniqueidentifier) as guid,

        ---------- strings
        cast("User" as nvarchar(4000)) as order_user,

        ---------- numerics
        cast(Amount as decimal(18, 2)) as amount,
        cast(Price as decimal(19, 4)) as price,

        ---------- booleans
        cast(IsActive as bit) as is_active,
        cast(case
            when Flag = 'Y' then 1
            when Flag = 'N' then 0
        end as bit) as is_flag,

        ---------- dates
        cast(ShippedDate as date) as shipped_date,

        ---------- timestamps
        cast(CreatedOn at time zone 'UTC' as datetime2(6)) as created_on,
        cast(ModifiedOn as datetime2(6)) as modified_on,

        ---------- other
        RowVer as row_ver

    from source

)

select * from renamed

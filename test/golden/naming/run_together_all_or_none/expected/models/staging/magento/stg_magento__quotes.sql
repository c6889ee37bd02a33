with

source as (

    select * from {{ source('magento', 'quotes') }}

),

renamed as (

    select
        ---------- ids
        "entity_id" as entity_id,
        "store_id" as store_id,
        "changeset_id" as changeset_id,

        ---------- strings
        "customer_firstname" as customer_first_name,
        "lastname" as last_name,

        ---------- booleans
        "issplit" as is_split

    from source

)

select * from renamed

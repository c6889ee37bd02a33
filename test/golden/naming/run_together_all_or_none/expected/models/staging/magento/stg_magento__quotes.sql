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
        "customer_firstname" as customer_firstname,
        "lastname" as lastname,

        ---------- booleans
        "issplit" as is_split

    from source

)

select * from renamed

with

source as (

    select * from {{ source('salesforce_plain', 'account') }}

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        type as account_type,
        region__c,
        region,

        ---------- booleans
        renewed__c as is_renewed,

        ---------- timestamps
        synced_utc as synced_at

    from source

)

select * from renamed

with

source as (

    select * from {{ source('salesforce', 'account') }}

),

renamed as (

    select
        ---------- ids
        id as account_id,

        ---------- strings
        type,
        region__c,

        ---------- booleans
        renewed__c,
        isdeleted as is_deleted,

        ---------- dates
        startdate__c,

        ---------- timestamps
        synced_utc

    from source

)

select * from renamed

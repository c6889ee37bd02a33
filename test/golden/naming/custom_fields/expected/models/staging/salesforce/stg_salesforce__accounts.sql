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
        region__c as region,

        ---------- booleans
        renewed__c as is_renewed,
        isdeleted as is_deleted,

        ---------- dates
        startdate__c as start_date,

        ---------- timestamps
        synced_utc

    from source

)

select * from renamed

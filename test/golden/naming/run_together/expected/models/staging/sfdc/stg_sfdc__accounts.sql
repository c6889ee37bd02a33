with

source as (

    select * from {{ source('sfdc', 'account') }}

),

renamed as (

    select
        ---------- ids
        id as account_id,
        createdbyid as created_by_id,

        ---------- strings
        billingpostalcode as billing_postal_code,
        custacct,
        "My_Field__c" as my_field,

        ---------- numerics
        numberofemployees as number_of_employees,

        ---------- booleans
        isdeleted as is_deleted,

        ---------- timestamps
        lastmodifieddate as last_modified_date

    from source

)

select * from renamed

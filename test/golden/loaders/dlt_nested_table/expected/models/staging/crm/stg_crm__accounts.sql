with

source as (

    select * from {{ source('crm', 'accounts') }}

),

renamed as (

    select
        ---------- strings
        url,

        ---------- metadata
        _dlt_id,
        _dlt_parent_id,
        _dlt_list_idx

    from source

)

select * from renamed

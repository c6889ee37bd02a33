-- stagecraft: ignore SC308 a package brings it
select * from {{ ref('stg_crm__accounts') }}

-- stagecraft: ignore SC407 small
select * from {{ ref('v5') }}

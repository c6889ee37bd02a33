{{ config(enabled=false) }}
select * from {{ ref('nothing') }}

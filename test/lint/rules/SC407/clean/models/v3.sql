{{ config(materialized='table') }}
select * from {{ ref('v2') }}

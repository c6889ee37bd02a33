{{ config(materialized='view') }}

select 1 as day_number

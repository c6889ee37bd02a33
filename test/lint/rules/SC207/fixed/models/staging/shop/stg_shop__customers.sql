{{ config(materialized='view') }}

with source as (
    select
        id,
        country
    from {{ source('shop', 'customers') }}
)

select * from source

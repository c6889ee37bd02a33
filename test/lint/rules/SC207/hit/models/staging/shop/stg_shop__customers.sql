{{ config(materialized='view') }}

with source as (
    select
        *
    from {{ source('shop', 'customers') }}
)

select * from source

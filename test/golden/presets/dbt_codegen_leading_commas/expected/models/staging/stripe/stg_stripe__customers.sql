{{ config(materialized='view') }}

with source as (

    select * from {{ source('stripe', 'customers') }}

),

renamed as (

    select
        ID as id
        , Email as email

    from source

)

select * from renamed


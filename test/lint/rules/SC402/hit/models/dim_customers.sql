{{ config(schema='marts', alias='customers') }}
select customer_id from {{ ref('stg_hard__customers') }}

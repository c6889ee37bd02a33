select * from {{ ref('stg_shop__orders') }}

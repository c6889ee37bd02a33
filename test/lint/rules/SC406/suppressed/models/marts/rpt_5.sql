select status from {{ ref('stg_shop__orders') }}

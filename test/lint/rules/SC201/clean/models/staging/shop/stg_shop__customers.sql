select * from {{ ref('base_shop__customers') }}

select {{ columns_of_orders() }} from {{ ref('stg_shop__orders') }}

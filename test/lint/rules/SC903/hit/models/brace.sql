select {{ ref('orders')

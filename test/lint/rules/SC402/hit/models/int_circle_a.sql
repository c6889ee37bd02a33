select customer_id from {{ ref('int_circle_b') }} -- reading it would be a circle

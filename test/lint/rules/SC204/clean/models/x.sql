select o.id, c.country, d.day from {{ source('shop', 'orders') }} o join {{ source('shop', 'customers') }} c on c.id = o.customer_id, unnest([1]) as d(day)

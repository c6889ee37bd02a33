select list_transform([1, 2], x -> x + amount) as sums from {{ source('shop', 'orders') }}

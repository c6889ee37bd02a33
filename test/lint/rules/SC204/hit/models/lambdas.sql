select list_transform([1, 2], x -> x + amuont) as sums from {{ source('shop', 'orders') }}

select list_transform([1, 2], x -> x + amount) as sums, list_reduce([1, 2], (a, b) -> a + b) as total
from {{ source('shop', 'orders') }}

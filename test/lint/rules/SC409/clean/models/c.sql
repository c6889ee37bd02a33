select * from {{ ref('b') }} join {{ ref('a') }} using (id)

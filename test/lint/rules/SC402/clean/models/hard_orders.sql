with orders as (
    select * from {{ source('hard', 'orders') }}
)
select
    extract(day from o.created_at) as day,
    trim(both ' ' from o.name) as name,
    o.a is distinct from o.b as differs,
    a.b.c
from orders as o
cross join o.items
cross join unnest(o.items) as i
join lateral flatten(input => o.items) f
join {{ target.schema }}.worked_out w using (id)
join information_schema.columns using (id)
left join db.fn(1) using (id)

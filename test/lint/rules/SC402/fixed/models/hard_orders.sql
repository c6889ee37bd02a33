-- from raw.in_a_comment
with orders as (
    select * from {{ source('hard', 'orders') }} as o
)
select o.*, 'from raw.text' as note
from orders as o
join "lake"."crm"."accounts" a on a.id = o.id
left join `proj.dataset.events` e on e.id = o.id
where exists (select 1 from (select * from other.lines) as l)

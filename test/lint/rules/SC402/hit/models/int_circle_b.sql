select customer_id from {{ ref('hard_refs') }}
union all
select customer_id from prod.int_circle_a

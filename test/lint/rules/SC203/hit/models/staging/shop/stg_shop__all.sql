with rows as (select id from {{ source('shop', 'orders') }} union all select id from {{ source('shop', 'orders') }})
select rows.id from rows left join {{- source('shop', 'customers') }} as c on c.id = rows.id

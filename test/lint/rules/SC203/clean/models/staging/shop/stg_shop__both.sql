-- a union of two tables of one shape, and a lookup of the whole
with rows as (
    select id, kind from {{ source('shop', 'orders') }}
    union all
    select id, kind from {{ source('shop', 'customers') }}
)
select rows.*, kinds.name from rows left join {{ ref('stg_shop__all') }} as kinds on kinds.kind = rows.kind

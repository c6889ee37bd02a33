select * from {{ ref('stg_shop__orders') }} join {{ ref('fivetran', 'accounts') }} using (id)

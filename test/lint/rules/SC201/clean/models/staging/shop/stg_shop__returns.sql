select id as return_id from {{ ref('stg_shop__returns_tmp') }}

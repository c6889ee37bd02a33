select * from {{ ref('b') }} union all select * from {{ ref('d') }}

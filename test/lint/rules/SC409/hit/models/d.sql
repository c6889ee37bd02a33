select * from {{ ref('d') }}

select * from {{ ref('a') }}

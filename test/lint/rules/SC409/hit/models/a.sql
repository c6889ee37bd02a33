select * from {{ ref('c') }}

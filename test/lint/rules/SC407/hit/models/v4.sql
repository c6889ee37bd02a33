select * from {{ ref('v3') }}

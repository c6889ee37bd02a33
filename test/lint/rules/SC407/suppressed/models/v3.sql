select * from {{ ref('v2') }}

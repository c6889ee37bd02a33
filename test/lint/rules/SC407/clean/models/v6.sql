select * from {{ ref('v5') }}

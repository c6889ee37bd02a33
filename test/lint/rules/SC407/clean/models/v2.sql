select * from {{ ref('v1') }}

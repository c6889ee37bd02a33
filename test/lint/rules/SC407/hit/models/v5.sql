select * from {{ ref('v4') }}

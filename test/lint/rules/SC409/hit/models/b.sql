select *
from {{ ref('a') }}

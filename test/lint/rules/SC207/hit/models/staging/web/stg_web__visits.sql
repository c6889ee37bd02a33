select *, 1 as one from {{ source('web', 'visits') }}

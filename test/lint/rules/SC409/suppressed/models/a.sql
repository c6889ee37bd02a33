select * from {{ ref('b') }} -- stagecraft: ignore SC409 one of them is switched off in dbt

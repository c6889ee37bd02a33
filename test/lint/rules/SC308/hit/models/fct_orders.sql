{# ref('nothing') stands in a comment #}
select *
from {{ ref('stg_shop__ordres') }}
join {{ ref('crm_accounts', v=2) }} using (id)
join {{ source('shop', 'order') }} using (id)
join {{ source(
    'crm',
    'accounts'
) }} using (id)

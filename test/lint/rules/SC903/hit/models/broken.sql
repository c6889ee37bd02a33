select
    {{ cents('amount' }},
    id
from {{ ref('orders') }}
{% if target.name == 'dev' %}
where id < 10

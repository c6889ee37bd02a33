{% macro columns_of_orders() %}order_id, {% for c in ['amount', 'status'] %}max({{ c }}) as max_{{ c }}{% if not loop.last %}, {% endif %}{% endfor %}{% endmacro %}

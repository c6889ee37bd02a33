select 1 as id
{% if is_incremental() %}
where id > 1

{# a comment #}
select 1 as id

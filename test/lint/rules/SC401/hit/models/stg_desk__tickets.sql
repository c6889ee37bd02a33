select id as ticket_id from {{ var('tickets') }}

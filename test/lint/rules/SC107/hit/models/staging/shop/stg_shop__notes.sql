select id as note_id from {{ source('shop', 'notes') }}

select * from {{ source('shop', 'returns') }}

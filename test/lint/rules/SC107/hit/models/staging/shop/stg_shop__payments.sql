select reference as payment_reference, amount from {{ source('shop', 'payments') }}

with

source as (

    select * from {{ source('shop', 'payments') }}

),

renamed as (

    select
        ---------- ids
        id as payment_id,

        ---------- numerics
        cast(amount_cents / 100.0 as numeric(16, 2)) as amount,
        cast(feeInCents / 100.0 as numeric(16, 2)) as fee,
        tax,
        cast(tax_cents / 100.0 as numeric(16, 2)) as tax_2,
        cast(tip_cents / 100.0 as numeric(16, 2)) as tip_cents,
        cast(cents / 100.0 as numeric(16, 2)) as cents,
        refund_cents,
        duration_ms,

        ---------- timestamps
        to_timestamp(created_epoch) at time zone 'UTC' as created_at,
        make_timestamp_ms(paid_at_ms) as paid_at,
        make_timestamp(login_us) as login_at,
        to_timestamp(period_end_epoch) at time zone 'UTC' as period_end

    from source

)

select * from renamed

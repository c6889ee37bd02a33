{% snapshot snap_stripe__payments %}

{{
    config(
      unique_key = 'id',
      strategy = 'timestamp',
      updated_at = 'updated'
    )
}}

select * from {{ source('stripe', 'payments') }}

{% endsnapshot %}

{% snapshot snap_shop__orders %}

{{
    config(
      unique_key = 'id',
      strategy = 'check',
      check_cols = 'all'
    )
}}

select * from {{ source('shop', 'orders') }}

{% endsnapshot %}

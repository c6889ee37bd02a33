{% snapshot snap_shop__stock %}

{{
    config(
      target_schema = 'snapshots',
      unique_key = 'cast(length(sku) as varchar(65535)) || \'|\' || sku || \'|\' || warehouse',
      strategy = 'check',
      check_cols = 'all'
    )
}}

select * from {{ source('shop', 'stock') }}

{% endsnapshot %}

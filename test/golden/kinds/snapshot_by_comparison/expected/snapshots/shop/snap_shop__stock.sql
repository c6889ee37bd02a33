{% snapshot snap_shop__stock %}

{{
    config(
      unique_key = ['"sku"', '"warehouse"'],
      strategy = 'check',
      check_cols = ['sku', 'warehouse', 'quantity']
    )
}}

select * from {{ source('shop', 'stock') }}

{% endsnapshot %}

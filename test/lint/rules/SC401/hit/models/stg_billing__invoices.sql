{{ some_package.union_data(table_identifier='invoices', default_schema='billing') }}

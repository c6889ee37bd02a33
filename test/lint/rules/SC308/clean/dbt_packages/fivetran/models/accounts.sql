select 1 as account_id

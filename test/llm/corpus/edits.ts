// Edits of single columns as models propose them: wrong ones change values without a reason, good ones have one.
import { type EditCase, read } from './read-edits.ts'

/** Edits that give another value than the column has, or that lose some. */
export const WRONG_EDITS: readonly EditCase[] = [
  ...read(
    'postgres',
    String.raw`
email text | cast(email as char) => string
nickname text | nickname::character => string
order_date text -- DD/MM/YYYY | to_date(order_date, 'YYYY') => date
order_date text -- 2024-01-31 | to_date(order_date, 'YYYY-MM') => date
is_active text -- Y/N | is_active = 'true' => boolean
is_open text -- T or F | lower(is_open) = 'yes' => boolean
is_paid integer -- 1 or 0 | is_paid = 2 => boolean
temp numeric -- -999 means missing | nullif(temp, 999) => decimal
temp numeric -- 999: no reading | nullif(temp, -999) => decimal
level numeric -- from 0-999.5 | nullif(level, -999.5) => decimal
level integer -- minus 5 if unknown | nullif(level, 5) => integer
page_url text | split_part(page_url, '?', 2) => string | page_url_without_query
page_url text | split_part(page_url, '/', 1) => string | page_url_without_query
page_url text | split_part(page_url, '?', 1) => string
page_url text | split_part(page_url, '?', 1) => string | page_query
page_url text | regexp_replace(page_url, '[/].*$', '') => string | page_url_without_query
campaign_name text | split_part(campaign_name, '?', 1) => string | campaign_name_without_query
first_last_name text | split_part(first_last_name, ' ', 1) => string | last_name
last_first_name text | split_part(last_first_name, ', ', 1) => string | first_name
first_last_name text | split_part(first_last_name, '@', 1) => string | first_name
first_name text | keep | full_name
fecha_alta date | keep | cancellation_date
fecha_baja date | keep | signup_date
fecha_alta date | keep | birth_date
total_amount numeric(12,2) | cents
price numeric(10,2) | cents
quantity integer | cents
gross_weight bigint | cents
list_price bigint | list_price / 100.0 => decimal
unit_cost numeric(12,4) | unit_cost / 100 => decimal
premium bigint -- yearly premium in euros | premium / 100.0 => decimal
balance bigint | balance * 0.01 => decimal
mileage integer | mileage * 1.609344 => decimal
age integer | age + 1 => integer
status text | case status when 'a' then 'active' else 'inactive' end => string
stock_level integer | -stock_level => integer
net_change numeric(12,2) | abs(net_change) => decimal
score integer | score * 100 => integer
amount_cents bigint | amount_cents / 100 => integer | amount
amount_cents integer | amount_cents / 100 => integer
amount_cents bigint | amount_cents / 100.0 => decimal
amount_cents bigint | amount_cents / 1000.0 => decimal | amount
fee_pence integer | fee_pence / 100 => integer | fee
duration_ms bigint | duration_ms / 1000 => integer | duration_seconds
duration_ms bigint | duration_ms / 1000.0 => decimal
duration_ms bigint | epoch_milliseconds
elapsed_seconds integer | epoch_seconds
latency_us bigint | epoch_microseconds
created_ms bigint | epoch_seconds
created_at_ms bigint | epoch_seconds
updated_sec bigint | epoch_milliseconds
login_epoch_s bigint | epoch_milliseconds
expires_usec bigint | epoch_milliseconds
created_ms bigint | to_timestamp(created_ms) => timestamp_tz | created_at
updated_seconds bigint | to_timestamp(updated_seconds / 1000.0) => timestamp_tz | updated_at
last_seen integer | epoch_milliseconds
customer_age integer | epoch_seconds
seat_count bigint | to_timestamp(seat_count) => timestamp_tz
order_total bigint | epoch_seconds
unit_price numeric(12,4) | integer
discount_rate numeric(5,4) | integer
exchange_rate double precision | integer
weight_kg real | integer
exchange_rate numeric(18,8) | exchange_rate::numeric(18,2) => decimal
latitude double precision | latitude::numeric(9,2) => decimal
latitude double precision | round(latitude::numeric, 1) => decimal
tax_amount numeric(12,2) | tax_amount::integer => integer
tax_amount numeric(12,2) | floor(tax_amount) => decimal
tax_amount numeric(12,2) | trunc(tax_amount) => decimal
tax_amount numeric(12,2) | round(tax_amount) => decimal
view_count bigint | view_count::integer => integer
view_count bigint | view_count::smallint => integer
big_number numeric(20,0) | big_number::bigint => integer
created_at timestamp | date
created_at timestamp | created_at::date => date
updated_at timestamp | date_trunc('day', updated_at) => timestamp_ntz
shipped_ts timestamp | cast(shipped_ts as date) => date | shipped_at
created_at timestamp | created_at + interval '1 day' => timestamp_ntz
due_date date | due_date + 30 => date
birth_date date | birth_date - interval '1 year' => timestamp_ntz
zip_code varchar(10) | integer
postal_code varchar(12) | postal_code::integer => integer
phone_number text | decimal
account_no varchar(20) | account_no::bigint => integer
sku varchar(32) | integer
tracking_id text | tracking_id::bigint => integer
iban varchar(34) | integer
description text | description::varchar(50) => string
full_name varchar(200) | cast(full_name as varchar(20)) => string
city varchar(80) | city::char(3) => string
is_active boolean | not is_active => boolean
is_active boolean | case when is_active then false else true end => boolean
is_deleted boolean | is_deleted is false => boolean
is_deleted boolean | is_deleted is not true => boolean
has_discount boolean | has_discount = false => boolean
active varchar(1) | active = 'N' => boolean | is_active
active varchar(1) | active <> 'Y' => boolean | is_active
active_flag smallint | active_flag = 0 => boolean | is_active
verified smallint | verified <> 1 => boolean | is_verified
deleted char(1) | case when deleted = 'Y' then false else true end => boolean | is_deleted
archived text | coalesce(archived, 'no') in ('no', 'n') => boolean | is_archived
deleted_at timestamp | deleted_at is null => boolean | is_deleted
is_member boolean | case when is_member then 'no' else 'yes' end => string
enabled integer | 1 - enabled => integer
email text | email is null => boolean | has_email
email text | integer
customer_name text | date
comments text | timestamp
status text | decimal
country_code char(2) | boolean
ip_address inet | integer
order_date date | text | ordered_at
start_date text | to_date(start_date, 'YYYY-MM-DD') + 1 => date
discount_percent numeric(5,2) | discount_percent * 100 => decimal
tax_rate numeric(6,4) | tax_rate * 100 => decimal
tip_amount bigint | tip_amount + tax => integer
temperature_c double precision | temperature_c * 9 / 5 + 32 => float
temperature_c double precision | temperature_c * 1.8 + 32 => float
heart_rate integer | heart_rate % 10 => integer
balance numeric(14,2) | greatest(balance, 0) => decimal
balance numeric(14,2) | least(balance, 0) => decimal
balance numeric(14,2) | sign(balance) => decimal
year_built integer | epoch_seconds
fiscal_year integer | fiscal_year - 1 => integer
`,
  ),
  ...read(
    'duckdb',
    String.raw`
amount_cents bigint | cast(amount_cents / 100 as bigint) => integer | amount
price decimal(10,2) | price / 100 => float
price decimal(10,2) | cast(price as integer) => integer
price decimal(10,2) | try_cast(price as bigint) => integer
clicks bigint | cast(clicks as tinyint) => integer
event_time_ms bigint | to_timestamp(event_time_ms) => timestamp_tz | event_at
event_time_ms bigint | make_timestamp(event_time_ms) => timestamp_ntz | event_at
event_time_sec bigint | make_timestamp_ms(event_time_sec) => timestamp_ntz | event_at
ratio double | round(ratio) => float
ratio double | ceil(ratio) => float
is_open boolean | is_open = false => boolean
is_open boolean | not coalesce(is_open, false) => boolean
zip varchar | try_cast(zip as integer) => integer
opened_at timestamp | cast(opened_at as date) => date
opened_at timestamp | date_trunc('month', opened_at) => timestamp_ntz
capacity_mb bigint | capacity_mb * 1024 => integer
`,
  ),
  ...read(
    'snowflake',
    String.raw`
AMOUNT number(38,0) | cents
UNIT_PRICE number(12,2) | cents
UNIT_PRICE number(12,2) | unit_price::number(38,0) => integer
UNIT_PRICE number(12,2) | unit_price::integer => integer
CREATED_AT_MS number(38,0) | to_timestamp_ntz(created_at_ms, 0) => timestamp_ntz | created_at
UPDATED_SEC number(38,0) | to_timestamp_ntz(updated_sec, 3) => timestamp_ntz | updated_at
DURATION_SECONDS number(38,0) | to_timestamp_ntz(duration_seconds) => timestamp_ntz
ROW_COUNT number(38,0) | to_timestamp_ntz(row_count) => timestamp_ntz
IS_CURRENT boolean | iff(is_current, false, true) => boolean
IS_CURRENT boolean | not(is_current) => boolean
ENABLED varchar | decode(enabled, 'Y', false, true) => boolean
LOADED_AT timestamp_ntz | to_date(loaded_at) => date
NOTES varchar | notes::varchar(10) => string
NPI varchar | try_to_number(npi) => integer
RATE float | round(rate, 0) => float
SHIPPED_AT timestamp_ntz | dateadd(hour, 5, shipped_at) => timestamp_ntz
`,
  ),
  ...read(
    'bigquery',
    String.raw`
revenue numeric | revenue / 100 => decimal
cost_micros int64 | cost_micros / 100 => float | cost
event_timestamp_micros int64 | timestamp_millis(event_timestamp_micros) => timestamp_tz | event_at
created_ms int64 | timestamp_seconds(created_ms) => timestamp_tz | created_at
session_count int64 | timestamp_seconds(session_count) => timestamp_tz
amount_cents int64 | div(amount_cents, 100) => integer | amount
price numeric | cast(price as int64) => integer
is_paid bool | if(is_paid, false, true) => boolean
zip_code string | safe_cast(zip_code as int64) => integer
created_at timestamp | timestamp_trunc(created_at, day) => timestamp_tz
created_at timestamp | date(created_at) => date
`,
  ),
  ...read(
    'mysql',
    String.raw`
price decimal(10,2) | cast(price as signed) => integer
price decimal(10,2) | truncate(price, 0) => decimal
amount_cents bigint | amount_cents div 100 => integer | amount
created_ms bigint | from_unixtime(created_ms) => timestamp_ntz | created_at
is_active tinyint(1) | is_active = 0 => boolean
is_active tinyint(1) | not is_active => boolean
phone varchar(20) | cast(phone as unsigned) => integer
title varchar(255) | cast(title as char(10)) => string
added_at datetime | date(added_at) => date
added_at datetime | date_add(added_at, interval 1 hour) => timestamp_ntz
visits int | visits / 1000 => decimal
`,
  ),
  ...read(
    'sqlserver',
    String.raw`
AmountCents bigint | AmountCents / 100 => integer | amount
Price decimal(18,4) | cast(Price as int) => integer
Price decimal(18,4) | convert(decimal(18, 2), Price) => decimal
IsActive bit | case when IsActive = 1 then 0 else 1 end => integer
IsActive bit | iif(IsActive = 1, 0, 1) => integer
Description nvarchar(max) | cast(Description as nvarchar(50)) => string
CreatedAt datetime2 | cast(CreatedAt as date) => date
Views bigint | cast(Views as int) => integer
created_ms bigint | dateadd(ss, created_ms, '1970-01-01') => timestamp_ntz | created_at
`,
  ),
  ...read(
    'redshift',
    String.raw`
amount_cents bigint | amount_cents / 100 => integer | amount
event_ms bigint | timestamp 'epoch' + event_ms * interval '1 second' => timestamp_ntz | event_at
page_views bigint | timestamp 'epoch' + page_views * interval '1 second' => timestamp_ntz
price numeric(12,2) | price::int => integer
comment varchar(1000) | comment::varchar(10) => string
is_valid boolean | decode(is_valid, true, false, true) => boolean
doc super | doc.id::varchar => string
doc super | doc.id::varchar => string | doc_name
doc super | tax.id::varchar => string | doc_id
doc varchar(80) | doc.id::varchar => string | doc_id
created_ms bigint | dateadd(us, created_ms, '1970-01-01'::timestamp) => timestamp_ntz | created_at
seen_us bigint | dateadd(ms, seen_us, '1970-01-01'::timestamp) => timestamp_ntz | seen_at
`,
  ),
  ...read(
    'databricks',
    String.raw`
amount decimal(18,2) | amount / 100 => decimal
created_ms bigint | timestamp_seconds(created_ms) => timestamp_tz | created_at
updated_s bigint | timestamp_millis(updated_s) => timestamp_tz | updated_at
price decimal(18,2) | cast(price as int) => integer
is_open boolean | not is_open => boolean
created_at timestamp | to_date(created_at) => date
page_url string | parse_url(page_url, 'HOST') => string
page_url string | parse_url(page_url, 'HOST') => string | page_url_path
landing_url string | parse_url(landing_url, 'QUERY', 'utm_source') => string | landing_utm_campaign
`,
  ),
  ...read(
    'trino',
    String.raw`
amount_cents bigint | amount_cents / 100 => integer | amount
created_ms bigint | from_unixtime(created_ms) => timestamp_tz | created_at
price decimal(12,2) | cast(price as bigint) => integer
is_open boolean | not is_open => boolean
`,
  ),
  ...read(
    'clickhouse',
    String.raw`
price Decimal(12,2) | toInt64(price) => integer
created_ms Int64 | toDateTime(created_ms) => timestamp_tz | created_at
created_sec Int64 | fromUnixTimestamp64Milli(created_sec) => timestamp_tz | created_at
amount_cents Int64 | intDiv(amount_cents, 100) => integer | amount
hits UInt64 | toUInt8(hits) => integer
is_bot UInt8 | is_bot = 0 => boolean
created_at DateTime | toDate(created_at) => date
created_at DateTime | toStartOfDay(created_at) => timestamp_tz
`,
  ),
  ...read(
    'sqlite',
    String.raw`
made integer -- unix seconds | datetime(made) => timestamp_ntz | made_at
made integer -- unix seconds | datetime(made, 'unixepoch', 'start of day') => timestamp_ntz | made_at
made integer -- unix seconds | datetime(made, 'unixepoch', '+1 day') => timestamp_ntz | made_at
amount_cents integer | amount_cents / 100 => integer | amount
price real | cast(price as integer) => integer
created_ms integer | datetime(created_ms, 'unixepoch') => timestamp_ntz | created_at
active integer | active = 0 => boolean | is_active
order_date text | date(order_date, '+1 day') => date
`,
  ),
  ...read(
    'athena',
    String.raw`
amount_cents bigint | amount_cents / 100 => integer | amount
created_ms bigint | from_unixtime(created_ms) => timestamp_tz | created_at
price decimal(12,2) | cast(price as bigint) => integer
`,
  ),
]

/** Edits with a reason in the name, the type or the comment, which keep every value. */
export const GOOD_EDITS: readonly EditCase[] = [
  ...read(
    'postgres',
    String.raw`
temp numeric -- -999.9 means missing | nullif(temp, -999.9) => decimal | | -999.9 => null
temp numeric -- 9999 if there is no reading | nullif(temp, 9999) => decimal | | 9999 => null
page_url text | split_part(page_url, '?', 1) => string | page_url_without_query | 'a/b?c=1' => a/b
landing_url text | regexp_replace(landing_url, '[?].*$', '') => string | landing_url_without_query | 'a/b?c=1' => a/b
first_last_name text | split_part(first_last_name, ' ', 1) => string | first_name | 'Ada Byron' => Ada
first_last_name text | split_part(first_last_name, ' ', 2) => string | last_name | 'Ada Byron' => Byron
last_first_name text | split_part(last_first_name, ', ', 2) => string | first_name | 'Byron, Ada' => Ada
first_last_name text | keep | full_name | 'Ada Byron' => Ada Byron
fecha_alta date | keep | signup_date | date '2024-01-31' => 2024-01-31
fecha_baja date | keep | cancellation_date | date '2024-01-31' => 2024-01-31
amount_cents bigint | cents | amount | 1999 => 19.99
amount_cents bigint | cents | | 1999 => 19.99
fee_pence integer | cents | fee | 250 => 2.50
total_minor_units bigint | cents | total | 5 => 0.05
tip bigint -- Tip in cents. | cents | | 150 => 1.50
shipping_cost integer -- in minor units of the currency | shipping_cost / 100.0 => decimal | | 499 => 4.99
amount_cents bigint | amount_cents / 100.0 => decimal | amount | 1999 => 19.99
amount_cents bigint | (amount_cents / 100.0)::numeric(18, 2) => decimal | amount | 1999 => 19.99
amount_cents bigint | amount_cents * 0.01 => decimal | amount | 1999 => 19.99
amount_in_cents integer | round(amount_in_cents / 100.0, 2) => decimal | amount | 1999 => 19.99
cost_micros bigint | cost_micros / 1000000.0 => decimal | cost | 1500000 => 1.5
duration_ms bigint | duration_ms / 1000.0 => decimal | duration_seconds | 1500 => 1.5
created_ms bigint | epoch_milliseconds | created_at | 1700000000000 => 2023-11-14 22:13:20
updated_epoch bigint | epoch_seconds | updated_at | 1700000000 => 2023-11-14 22:13:20
created bigint | epoch_seconds | | 1700000000 => 2023-11-14 22:13:20
last_login bigint | epoch_seconds | | 1700000000 => 2023-11-14 22:13:20
expires_at bigint -- Milliseconds since 1970. | epoch_milliseconds | | 1700000000000 => 2023-11-14 22:13:20
event_ts bigint | to_timestamp(event_ts / 1000.0) => timestamp_tz | event_at | 1700000000000 => 2023-11-14 22:13:20+00
login_unix bigint | to_timestamp(login_unix) => timestamp_tz | login_at | 1700000000 => 2023-11-14 22:13:20+00
quantity text | integer | | '12' => 12
price varchar(20) | decimal | | '19.99' => 19.99
latitude text | float | | '51.5' => 51.5
line_total text | nullif(line_total, '')::numeric(18, 2) => decimal | | '12.50' => 12.50
amount text | replace(amount, ',', '')::numeric => decimal | | '1,234.5' => 1234.5
order_count double precision | integer | | 12 => 12
birth_year numeric | birth_year::integer => integer | | 1980 => 1980
seats smallint | seats::bigint => integer | | 5 => 5
price numeric(12,2) | price::numeric(18, 4) => decimal | | 19.99 => 19.9900
price real | price::double precision => float | | 1.5 => 1.5
visits integer | coalesce(visits, 0) => integer | | null => 0
rating integer | nullif(rating, -1) => integer | | -1 => null
score numeric(6,2) -- 999 if there is none | case when score = 999 then null else score end => decimal | | 7.25 => 7.25
created_at text | timestamp | | '2024-01-31 10:20:30' => 2024-01-31 10:20:30
birth_date text | date | | '2001-02-03' => 2001-02-03
hired text | to_date(hired, 'DD.MM.YYYY') => date | hired_date | '31.01.2024' => 2024-01-31
created timestamp | date | created_date | '2024-01-31 10:20:30' => 2024-01-31
order_date timestamp | order_date::date => date | | '2024-01-31 00:00:00' => 2024-01-31
active varchar(1) | active = 'Y' => boolean | is_active | 'Y' => true
active varchar(3) | boolean | is_active | 'no' => false
deleted smallint | deleted = 1 => boolean | is_deleted | 0 => false
deleted_flag integer | boolean | is_deleted | 1 => true
archived text | lower(archived) in ('y', 'yes', 'true') => boolean | is_archived | 'Yes' => true
verified char(1) | case when verified = 'Y' then true when verified = 'N' then false end => boolean | is_verified | 'N' => false
deleted_at timestamp | deleted_at is not null => boolean | is_deleted | null => false
is_member boolean | coalesce(is_member, false) => boolean | | null => false
inactive char(1) | inactive = 'Y' => boolean | is_inactive | 'Y' => true
email text | lower(trim(email)) => string | | ' A@X.IO ' => a@x.io
country char(2) | upper(country) => string | | 'de' => DE
nickname text | nullif(trim(nickname), '') => string | | '  ' => null
zip_code integer | text | | 1234 => 1234
zip_code integer | lpad(zip_code::text, 5, '0') => string | | 1234 => 01234
account_no bigint | account_no::varchar(20) => string | | 42 => 42
code varchar(10) | code::varchar(20) => string | | 'ab' => ab
note varchar(100) | note::text => string | | 'x' => x
payload text | payload::jsonb => json | | '{"a": 1}' => {"a": 1}
discount_bps integer | discount_bps / 10000.0 => decimal | discount | 250 => 0.025
tax_pct numeric(5,2) | tax_pct / 100 => decimal | tax_rate | 19.00 => 0.19
status text -- a: active, all others inactive | case status when 'a' then 'active' else 'inactive' end => string | | 'a' => active
phone text | regexp_replace(phone, '[^0-9+]', '', 'g') => string | | '+1 (2)' => +12
guid varchar(36) | guid::uuid => uuid | | 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' => a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11
`,
  ),
  ...read(
    'duckdb',
    String.raw`
amount_cents bigint | cents | amount | 1999 => 19.99
amount_cents bigint | amount_cents / 100 => float | amount | 1999 => 19.99
paid_cents integer | cast(paid_cents / 100.0 as decimal(18, 2)) => decimal | paid_amount | 1999 => 19.99
event_time_ms bigint | make_timestamp_ms(event_time_ms) => timestamp_ntz | event_at | 1700000000000 => 2023-11-14 22:13:20
created_us bigint | epoch_microseconds | created_at | 1700000000000000 => 2023-11-14 22:13:20
modified_sec bigint | epoch_seconds | modified_at | 1700000000 => 2023-11-14 22:13:20
signup_time bigint | epoch_seconds | | 1700000000 => 2023-11-14 22:13:20
qty varchar | try_cast(qty as integer) => integer | quantity | '7' => 7
price varchar | try_cast(replace(price, '$', '') as decimal(18, 2)) => decimal | | '$1.50' => 1.50
is_open varchar | lower(is_open) = 'true' => boolean | | 'True' => true
opted_in integer | opted_in = 1 => boolean | | 1 => true
published varchar | boolean | is_published | 'yes' => true
start_dt varchar | strptime(start_dt, '%Y-%m-%d') => timestamp_ntz | start_at | '2024-01-31' => 2024-01-31 00:00:00
opened timestamp | cast(opened as date) => date | opened_date | '2024-01-31 10:20:30' => 2024-01-31
temperature double | round(temperature, 2) => float | | 1.25 => 1.25
views integer | cast(views as bigint) => integer | | 5 => 5
name varchar | upper(name) => string | | 'ab' => AB
tags varchar | string_split(tags, ',') => array | | 'a,b' => [a, b]
`,
  ),
  ...read(
    'mysql',
    String.raw`
amount_cents bigint | cents | amount | 1999 => 19.99
amount_cents bigint | amount_cents / 100 => decimal | amount | 1999 => 19.9900
created_unix bigint | from_unixtime(created_unix) => timestamp_ntz | created_at
created_ms bigint | from_unixtime(created_ms / 1000) => timestamp_ntz | created_at
active char(1) | active = 'Y' => boolean | is_active | 'Y' => 1
enabled varchar(5) | enabled in ('on', 'yes') => boolean | is_enabled | 'off' => 0
birthday varchar(10) | str_to_date(birthday, '%d.%m.%Y') => date | | '31.01.2024' => 2024-01-31
created datetime | date(created) => date | created_date | '2024-01-31 10:20:30' => 2024-01-31
qty varchar(10) | cast(qty as signed) => integer | quantity | '12' => 12
price varchar(10) | cast(price as decimal(18, 2)) => decimal | | '1.50' => 1.50
visits int | ifnull(visits, 0) => integer | | null => 0
title varchar(100) | trim(title) => string | | ' a ' => a
`,
  ),
  ...read(
    'snowflake',
    String.raw`
AMOUNT_CENTS number(38,0) | cents | amount
AMOUNT_CENTS number(38,0) | amount_cents / 100 => decimal | amount
CREATED_AT_MS number(38,0) | to_timestamp_ntz(created_at_ms, 3) => timestamp_ntz | created_at
UPDATED_SEC number(38,0) | to_timestamp_ntz(updated_sec) => timestamp_ntz | updated_at
IS_CURRENT varchar | is_current = 'Y' => boolean
ENABLED varchar | decode(enabled, 'Y', true, false) => boolean | is_enabled
LOADED timestamp_ntz | to_date(loaded) => date | loaded_date
QTY varchar | try_to_number(qty) => integer | quantity
PRICE varchar | try_to_decimal(price, 18, 2) => decimal
PAYLOAD varchar | parse_json(payload) => json
`,
  ),
  ...read(
    'bigquery',
    String.raw`
amount_cents int64 | amount_cents / 100 => float | amount
cost_micros int64 | cost_micros / 1000000 => float | cost
event_micros int64 | timestamp_micros(event_micros) => timestamp_tz | event_at
created_ms int64 | timestamp_millis(created_ms) => timestamp_tz | created_at
quantity string | safe_cast(quantity as int64) => integer
is_paid string | lower(is_paid) in ('y', 'yes') => boolean
created timestamp | date(created) => date | created_date
`,
  ),
  ...read(
    'databricks',
    String.raw`
amount_cents bigint | amount_cents / 100 => float | amount
created_ms bigint | timestamp_millis(created_ms) => timestamp_tz | created_at
is_open string | is_open = 'Y' => boolean
page_url string | parse_url(page_url, 'HOST') => string | page_host
landing_url string | parse_url(landing_url, 'QUERY', 'utm_source') => string | landing_utm_source
`,
  ),
  ...read(
    'redshift',
    String.raw`
amount_cents bigint | amount_cents / 100.0 => decimal | amount
event_epoch bigint | timestamp 'epoch' + event_epoch * interval '1 second' => timestamp_ntz | event_at
is_valid varchar(1) | decode(is_valid, 'Y', true, 'N', false) => boolean
doc super | doc.id::varchar => string | doc_id
payload super | payload.customer.email::varchar => string | payload_customer_email
created_ms bigint | dateadd(ms, created_ms, '1970-01-01'::timestamp) => timestamp_ntz | created_at
seen_us bigint | dateadd(us, seen_us, '1970-01-01'::timestamp) => timestamp_ntz | seen_at
`,
  ),
  ...read(
    'clickhouse',
    String.raw`
amount_cents Int64 | amount_cents / 100 => float | amount
created_ms Int64 | fromUnixTimestamp64Milli(created_ms) => timestamp_tz | created_at
created_sec Int64 | toDateTime(created_sec) => timestamp_tz | created_at
is_bot UInt8 | is_bot = 1 => boolean
`,
  ),
  ...read(
    'sqlserver',
    String.raw`
AmountCents bigint | AmountCents / 100.0 => decimal | amount
Created datetime2 | cast(Created as date) => date | created_date
created_sec bigint | dateadd(ss, created_sec, '1970-01-01') => timestamp_ntz | created_at
`,
  ),
  ...read(
    'trino',
    String.raw`
amount_cents bigint | amount_cents / 100.0 => decimal | amount
created_ms bigint | from_unixtime(created_ms / 1000.0) => timestamp_tz | created_at
`,
  ),
  ...read(
    'sqlite',
    String.raw`
amount_cents integer | amount_cents / 100.0 => float | amount
created_unix integer | datetime(created_unix, 'unixepoch') => timestamp_ntz | created_at
active integer | active = 1 => boolean | is_active
`,
  ),
]

// Edits over columns of many domains: shops, hospitals, flights, insurance, and the API of a payment provider.
import { type EditCase, read } from './read-edits.ts'

/** Edits that give another value than the column has, or that lose some. The table also has a column `cust_nm`. */
export const WRONG_IN_DOMAINS: readonly EditCase[] = [
  ...read(
    'postgres',
    String.raw`
fare_cents integer | fare_cents / 100 => decimal | fare_amount
weight_g integer | weight_g / 100.0 => decimal | weight_kg
salary numeric(12,2) | salary / 100.0 => decimal
premium bigint | premium / 100.0 => decimal | premium_amount
is_insured varchar(1) | is_insured = 'N' => boolean | is_insured
is_insured varchar(1) | is_insured in ('Y', 'N') => boolean | is_insured
is_insured varchar(1) | is_insured is not null => boolean | is_insured
departure_at timestamp | departure_at at time zone 'America/New_York' => timestamp_tz | departure_at
arrived_at timestamp -- Local time of the depot in Denver | arrived_at at time zone 'UTC' => timestamp_tz | arrived_at
boarding_lcl timestamp -- Local time in America/Chicago | boarding_lcl at time zone 'Europe/Berlin' => timestamp_tz | boarding_at
lunch_time timestamp -- Local time | lunch_time at time zone 'Europe/Berlin' => timestamp_tz | lunch_at
goals_scored integer | nullif(goals_scored, 0) => integer | goals_scored
copay_amt numeric(8,2) | nullif(copay_amt, 0) => decimal | copay_amount
returned_at timestamp | returned_at - interval '3 hours' => timestamp_ntz | returned_at
region varchar | coalesce(region, 'EMEA') => string | region
patient_weight numeric(6,2) | coalesce(patient_weight, 0) => decimal | patient_weight
email varchar | cust_nm => string | email
phone varchar | substring(phone, 1, 5) => string | phone
first_name varchar | concat(first_name, ' ', cust_nm) => string | first_name
claim_status varchar | case claim_status when 'O' then 'open' when 'C' then 'closed' end => string | claim_status
device_id varchar | lower(device_id) => string | device_id
account_ref varchar | ltrim(account_ref, '0') => string | account_ref
api_token varchar | trim(both 'x' from api_token) => string | api_token
birth_date varchar -- DD/MM/YYYY | to_date(birth_date, 'MM/DD/YYYY') => date | birth_date
balance numeric(12,2) | -balance => decimal | balance
dosage_mg numeric(8,3) | floor(dosage_mg) => integer | dosage_mg
temperature_f numeric(5,2) | (temperature_f - 32) * 5 / 9 => decimal | temperature_f
duration_ms bigint | duration_ms / 1000.0 => decimal | duration_ms
distance_mi numeric(9,2) | distance_mi * 1.6 => decimal | distance_km
created_at timestamp | cast(created_at as date) => date | created_at
`,
  ),
  ...read(
    'snowflake',
    String.raw`
GRAND_TOTAL NUMBER(18,0) | grand_total / 100.0 => decimal | grand_total
LAT FLOAT | round(lat, 1) => float
ZIP_CODE VARCHAR | try_to_number(zip_code) => integer
ACTIVE_FLAG NUMBER(1,0) | iff(active_flag = 1, false, true) => boolean | is_active
PICKED_UP_AT TIMESTAMP_NTZ | dateadd(hour, -5, picked_up_at) => timestamp_ntz | picked_up_at
DISCOUNT NUMBER(10,2) | coalesce(discount, 5) => decimal | discount
QTY NUMBER(10,0) | tax => integer | qty
PRIORITY VARCHAR | case when priority = 'H' then 'high' else 'low' end => string | priority
STRIPE_ID VARCHAR | upper(stripe_id) => string | stripe_id
DUE_DATE VARCHAR -- format YYYYMMDD | to_date(due_date, 'YYYYDDMM') => date | due_date
REFUND_AMOUNT NUMBER(12,2) | abs(refund_amount) => decimal | refund_amount
TAX_RATE NUMBER(5,2) | tax_rate * 100 => decimal | tax_rate
`,
  ),
  ...read(
    'bigquery',
    String.raw`
member_number string | safe_cast(member_number as int64) => integer
discharged_ms int64 | timestamp_seconds(discharged_ms) => timestamp_tz | discharged_at
opt_out bool | not opt_out => boolean | opt_out
currency string | ifnull(currency, 'USD') => string | currency
postal_code string | substr(postal_code, 1, 3) => string | postal_code
youtube_video_id string | lower(youtube_video_id) => string | youtube_video_id
start_date string -- ISO 8601 date | parse_date('%Y-%d-%m', start_date) => date | start_date
unit_price numeric | round(unit_price) => decimal | unit_price
payload json | json_value(payload, '$.email') => string | payload
`,
  ),
  ...read(
    'mysql',
    String.raw`
admitted_epoch bigint -- milliseconds since 1970 | from_unixtime(admitted_epoch) => timestamp_ntz | admitted_at
deleted_yn char(1) | if(deleted_yn = 'Y', 0, 1) => integer | deleted_yn
shipped_at datetime | convert_tz(shipped_at, '+00:00', '+05:30') => timestamp_ntz | shipped_at
iban varchar(34) | left(iban, 4) => string | iban
grade varchar(2) | case when grade in ('A', 'B') then 'pass' when grade = 'C' then 'retake' end => string | grade
invoice_date varchar(10) -- dd.mm.yyyy | str_to_date(invoice_date, '%m.%d.%Y') => date | invoice_date
exchange_rate decimal(12,6) | round(exchange_rate, 2) => decimal | exchange_rate
`,
  ),
  ...read(
    'databricks',
    String.raw`
event_ts bigint -- Unix time in seconds | timestamp_millis(event_ts) => timestamp_ntz | event_at
plan_type string | decode(plan_type, 'P', 'premium', 'B', 'basic') => string | plan_type
tip_amount double | cast(tip_amount as int) => integer | tip_amount
`,
  ),
  ...read(
    'duckdb',
    String.raw`
boarded_us bigint | epoch_ms(boarded_us) => timestamp_ntz | boarded_at
order_status varchar | coalesce(order_status, 'complete') => string | order_status
city varchar | concat(city, ', ', cust_nm) => string | city
net_change double | net_change * -1 => float | net_change
`,
  ),
  ...read(
    'postgres',
    String.raw`
ticket_status text -- A = active, I = inactive | case ticket_status when 'A' then 'inactive' when 'I' then 'active' end => string | ticket_status
ticket_status text -- A = active, I = inactive | case ticket_status when 'A' then 'inactive' else ticket_status end => string | ticket_status
ticket_status text -- N: new; P: paid; S: shipped | case ticket_status when 'N' then 'new' when 'P' then 'paid' end => string | ticket_status
plan_type smallint -- 0 = free, 1 = paid, 2 = trial | case plan_type when 0 then 'free' else 'paid' end => string | plan_type
sex text -- female (F), male (M) | case sex when 'F' then 'male' when 'M' then 'female' end => string | sex
level bigint -- either low or high | case level when 1 then 'high' when 2 then 'low' end => string | level
language text -- DE German, FR French | replace(replace(language, 'DE', 'French'), 'FR', 'German') => string | language
shipped_on date | coalesce(shipped_on, '9999-12-31') => date | shipped_on
shipped_on date | coalesce(shipped_on, date '9999-12-31') => date | shipped_on
contact text | coalesce(contact, cust_nm) => string | contact
weight_lb numeric(9,2) | weight_lb * 1 => decimal | weight_kg
temp_c numeric(5,2) | temp_c * 1.8 => decimal | temperature_fahrenheit
energy_wh bigint | energy_wh / 100.0 => decimal | energy_kwh
opened_at timestamp -- UTC | opened_at at time zone 'Europe/Berlin' => timestamp_tz | opened_at
opened_at timestamp -- Berlin time | opened_at::timestamptz => timestamp_tz | opened_at
opened_at timestamptz | opened_at at time zone 'Europe/Berlin' => timestamp_ntz | opened_at_utc
hired text | to_date(hired, 'MM/DD/YYYY') => date | hired_date
hired text -- e.g. 24.12.2020 | to_date(hired, 'MM.DD.YYYY') => date | hired_date
amount text | replace(replace(amount, '.', ''), ',', '.')::numeric => decimal | amount
amount text -- such as 1.234,56 | replace(amount, ',', '')::numeric => decimal | amount
turnover text | regexp_replace(turnover, '[^0-9.]', '', 'g')::numeric => decimal | turnover
reading numeric(9,2) | case when reading > 1000 then 1000 else reading end => decimal | reading
note text | case when length(note) > 5 then note end => string | note
profile jsonb | profile - 'email' => json | profile
login text | reverse(login) => string | login
login text | login || '@example.com' => string | login
`,
  ),
  ...read(
    'snowflake',
    String.raw`
CREATED_MS NUMBER(38,0) | to_timestamp_ntz(created_ms) => timestamp_ntz | created_at
SENT_AT TIMESTAMP_NTZ -- local time in New York | convert_timezone('UTC', 'America/New_York', sent_at) => timestamp_ntz | sent_at
SENT_AT TIMESTAMP_NTZ -- in UTC | convert_timezone('Europe/Berlin', 'UTC', sent_at) => timestamp_ntz | sent_at_berlin
`,
  ),
  ...read(
    'sqlserver',
    String.raw`
order_date varchar(10) | convert(date, order_date, 103) => date | order_date
order_date varchar(10) -- dd/mm/yyyy | convert(date, order_date, 101) => date | order_date
`,
  ),
]

/** Edits for a reason that the name, the type or the comment gives. */
export const GOOD_IN_DOMAINS: readonly EditCase[] = [
  ...read(
    'postgres',
    String.raw`
amount bigint -- A positive integer in cents | amount / 100.0 => decimal | amount
tip_cents integer | cents | tip_amount
premium_minor bigint -- minor units | round(premium_minor / 100.0, 2) => decimal | premium_amount
created bigint -- Time at which the object was created. Measured in seconds since the Unix epoch. | to_timestamp(created) => timestamp_tz | created_at
expires_unix bigint | epoch_seconds | expires_at
email varchar | lower(trim(email)) => string | email
middle_name varchar | nullif(trim(middle_name), '') => string | middle_name
is_insured varchar(1) | is_insured = 'Y' => boolean | is_insured
is_active smallint | boolean | is_active
quantity varchar | cast(quantity as integer) => integer | quantity
account_no bigint | cast(account_no as varchar) => string | account_number
birth_date varchar -- DD/MM/YYYY | to_date(birth_date, 'DD/MM/YYYY') => date | birth_date
order_dt integer -- date as YYYYMMDD | to_date(cast(order_dt as varchar), 'YYYYMMDD') => date | order_date
payload jsonb | payload ->> 'email' => string | payload_email
country_code varchar | upper(trim(country_code)) => string | country_code
duration_ms bigint | duration_ms / 1000.0 => decimal | duration_seconds
weight_g integer | weight_g / 1000.0 => decimal | weight_kg
created_at timestamp | cast(created_at as date) => date | created_date
balance varchar -- e.g. $1,234.50 | cast(replace(replace(balance, '$', ''), ',', '') as numeric(18,2)) => decimal | balance
wait_minutes integer -- -1 if not measured | nullif(wait_minutes, -1) => integer | wait_minutes
room_no varchar -- 0 if none was given | nullif(room_no, '0') => string | room_no
middle_name varchar | nullif(middle_name, 'N/A') => string | middle_name
closed_local timestamp -- local time, stored in UTC | closed_local at time zone 'UTC' => timestamp_tz | closed_at
departure_local timestamp -- local time in Berlin | departure_local at time zone 'Europe/Berlin' => timestamp_tz | departure_at
`,
  ),
  ...read(
    'snowflake',
    String.raw`
AMOUNT NUMBER(38,0) -- Amount intended to be collected, in cents. | amount / 100.0 => decimal | amount
LOADED_EPOCH_MS NUMBER(38,0) | to_timestamp_ntz(loaded_epoch_ms, 3) => timestamp_ntz | loaded_at
EMAIL_ADDRESS VARCHAR | lower(trim(email_address)) => string | email
PHONE VARCHAR | nullif(phone, '') => string | phone
ACTIVE_FLAG NUMBER(1,0) | active_flag = 1 => boolean | is_active
UNIT_PRICE VARCHAR | try_to_decimal(unit_price, 18, 4) => decimal | unit_price
DUE_DATE VARCHAR -- format YYYYMMDD | to_date(due_date, 'YYYYMMDD') => date | due_date
PROPERTIES VARIANT | properties:plan::varchar => string | properties_plan
CURRENCY VARCHAR -- ISO 4217, mixed case | upper(currency) => string | currency
LAST_LOGIN VARCHAR | try_to_timestamp_ntz(last_login) => timestamp_ntz | last_login_at
REGION VARCHAR | coalesce(region, 'unknown') => string | region
`,
  ),
  ...read(
    'bigquery',
    String.raw`
amount_refunded int64 -- in cents | amount_refunded / 100 => float | refunded_amount
created_epoch int64 -- unix seconds | timestamp_seconds(created_epoch) => timestamp_tz | created_at
discharged_ms int64 | timestamp_millis(discharged_ms) => timestamp_tz | discharged_at
contact_email string | trim(lower(contact_email)) => string | contact_email
vip_flag string | upper(vip_flag) = 'YES' => boolean | is_vip
age string | safe_cast(age as int64) => integer | age
birth_date string -- YYYY-MM-DD | parse_date('%Y-%m-%d', birth_date) => date | birth_date
address_json string | json_value(address_json, '$.city') => string | address_city
discount_pct float64 | discount_pct / 100 => float | discount_rate
`,
  ),
  ...read(
    'mysql',
    String.raw`
fare_cents int | fare_cents / 100.0 => decimal | fare_amount
visit_unix_ts int | from_unixtime(visit_unix_ts) => timestamp_ntz | visit_at
user_email varchar(255) | nullif(lower(trim(user_email)), '') => string | user_email
deleted_yn char(1) | case when deleted_yn = 'Y' then true when deleted_yn = 'N' then false end => boolean | is_deleted
order_total varchar(20) | cast(order_total as decimal(18, 4)) => decimal | order_total
invoice_date varchar(10) -- dd.mm.yyyy | str_to_date(invoice_date, '%d.%m.%Y') => date | invoice_date
metadata json | json_unquote(json_extract(metadata, '$.source')) => string | metadata_source
`,
  ),
  ...read(
    'duckdb',
    String.raw`
price_cents integer | price_cents / 100.0 => decimal | price
boarded_us bigint | make_timestamp(boarded_us) => timestamp_ntz | boarded_at
notes varchar | nullif(notes, 'NULL') => string | notes
smoker varchar -- yes/no | lower(smoker) = 'yes' => boolean | is_smoker
store_no integer | cast(store_no as varchar) => string | store_number
raw_event json | json_extract_string(raw_event, '$.type') => string | raw_event_type
`,
  ),
  ...read(
    'databricks',
    String.raw`
amount_due bigint -- Amount in the smallest currency unit (cents). | cast(amount_due / 100.0 as decimal(18,2)) => decimal | amount_due
event_ms bigint | timestamp_millis(event_ms) => timestamp_ntz | event_at
city string | nullif(trim(city), '') => string | city
has_children string | has_children = 'yes' => boolean | has_children
signup_ts string | to_timestamp(signup_ts) => timestamp_tz | signup_at
`,
  ),
  ...read(
    'postgres',
    String.raw`
ticket_status text -- A = active, I = inactive | case ticket_status when 'A' then 'active' when 'I' then 'inactive' end => string | ticket_status
ticket_status text -- Status: N=new, P=paid | case when ticket_status = 'N' then 'new' when ticket_status = 'P' then 'paid' else 'unknown' end => string | ticket_status
sex text -- female (F), male (M) | case sex when 'F' then 'female' when 'M' then 'male' end => string | sex
temp_f numeric(5,2) | (temp_f - 32) * 5 / 9 => decimal | temperature_celsius
energy_wh bigint | energy_wh / 1000.0 => decimal | energy_kwh
age_months integer | age_months / 12.0 => decimal | age_years
size_bytes bigint | size_bytes / 1048576.0 => decimal | size_mb
page_url text | split_part(split_part(page_url, '://', 2), '/', 1) => string | page_host
login text | md5(login) => string | login_hash
opened_at timestamp -- Berlin time | opened_at at time zone 'Europe/Berlin' => timestamp_tz | opened_at
opened_at timestamptz | opened_at at time zone 'Europe/Berlin' => timestamp_ntz | opened_at_berlin
hired text -- MM/DD/YYYY | to_date(hired, 'MM/DD/YYYY') => date | hired_date
hired text | to_date(hired, 'DD.MM.YYYY') => date | hired_date
amount text -- such as 1.234,56 | replace(replace(amount, '.', ''), ',', '.')::numeric => decimal | amount
quantity integer | coalesce(quantity, 0) => integer | quantity
smoker text | smoker = 'Y' => boolean | is_smoker
`,
  ),
  ...read(
    'snowflake',
    String.raw`
SENT_AT TIMESTAMP_NTZ -- local time of New York | convert_timezone('America/New_York', 'UTC', sent_at) => timestamp_ntz | sent_at_utc
SENT_AT_UTC TIMESTAMP_NTZ | convert_timezone('UTC', 'America/New_York', sent_at_utc) => timestamp_ntz | sent_at_new_york
`,
  ),
  ...read(
    'sqlite',
    String.raw`
created integer -- seconds since the epoch | datetime(created, 'unixepoch') => timestamp_ntz | created_at
`,
  ),
]

import type { DialectName, ResultType } from '@stagecraft/spec'

/** A good expression over the column `c` of a type, what it gives, and a raw value where an engine runs it. */
export interface GoodExpression {
  readonly type: string
  readonly expression: string
  readonly gives: ResultType
  readonly value: string
}

/** `type | value as SQL | result | expression`, one a line. */
function read(text: string): readonly GoodExpression[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [type = '', value = '', gives = '', ...rest] = line.split(' | ').map((part) => part.trim())
      return { type, value, gives: gives as ResultType, expression: rest.join(' | ') }
    })
}

export const GOOD_EXPRESSIONS: Partial<Record<DialectName, readonly GoodExpression[]>> = {
  duckdb: read(String.raw`
bigint | 1999 | float | c / 100.0
bigint | 1999 | decimal | cast(c / 100.0 as decimal(18, 2))
bigint | 1700000000 | timestamp_tz | to_timestamp(c)
bigint | 1700000000123 | timestamp_ntz | make_timestamp_ms(c)
varchar | '2024-01-31' | timestamp_ntz | strptime(c, '%Y-%m-%d')
varchar | '31.01.2024' | date | cast(strptime(c, '%d.%m.%Y') as date)
varchar | 'Y' | boolean | c = 'Y'
varchar | 'a  b' | string | replace(c, '  ', ' ')
varchar | ' A b ' | string | lower(trim(c))
varchar | ' a ' | string | nullif(trim(c), '')
varchar | null | string | coalesce(c, 'n/a')
varchar | '{"a": {"b": "x"}}' | string | json_extract_string(c, '$.a.b')
json | '{"a": 5}' | integer | cast(c ->> '$.a' as integer)
varchar | 'ab12' | string | regexp_replace(c, '[^0-9]+', '')
varchar | 'ab12' | string | regexp_extract(c, '([0-9]+)', 1)
varchar | 'ada@x.io' | string | md5(lower(c))
varchar | '7' | string | lpad(c, 5, '0')
varchar | '12' | integer | try_cast(c as integer)
bigint | 7 | integer | coalesce(c, 0)
varchar | 'a@b' | string | split_part(c, '@', 2)
timestamp | timestamp '2024-01-31 10:00:00' | timestamp_tz | c at time zone 'UTC'
varchar | 'a,b' | string | string_split(c, ',')[1]
timestamp | timestamp '2024-01-31 10:00:00' | date | cast(c as date)
varchar | '1,234.5' | decimal | cast(replace(c, ',', '') as decimal(18, 2))
varchar | 'b' | string | case c when 'a' then 'Alpha' when 'b' then 'Beta' else 'Other' end
double | 1.55 | float | round(c, 2)
varchar | 'it''s  x' | string | replace(c, '''s  ', '-')
`),
  postgres: read(String.raw`
bigint | 1999 | decimal | c / 100.0
bigint | 1999 | decimal | (c / 100.0)::numeric(18, 2)
bigint | 1700000000 | timestamp_tz | to_timestamp(c)
bigint | 1700000000123 | timestamp_tz | to_timestamp(c / 1000.0)
text | '20240131' | date | to_date(c, 'YYYYMMDD')
text | '2024-01-31 10:00:00' | timestamp_ntz | cast(c as timestamp)
text | 'yes' | boolean | lower(c) in ('y', 'yes', 'true')
text | 'a  b' | string | replace(c, '  ', ' ')
text | ' A ' | string | upper(btrim(c))
text | ' a ' | string | nullif(trim(c), '')
text | null | string | coalesce(c, 'n/a')
jsonb | '{"a": {"b": "x"}}' | string | c #>> '{a,b}'
jsonb | '{"a": 5}' | integer | (c ->> 'a')::integer
text | 'ab12' | string | regexp_replace(c, '\D', '', 'g')
text | 'ab12' | string | substring(c from '[0-9]+')
text | 'ada@x.io' | string | md5(lower(c))
text | 'ada@x.io' | string | encode(sha256(c::bytea), 'hex')
text | '7' | string | lpad(c, 5, '0')
text | 'a' | string | concat_ws('-', c, 'x')
bigint | 7 | integer | nullif(c, -1)
text | 'a@b' | string | split_part(c, '@', 2)
timestamp | timestamp '2024-01-31 10:00:00' | timestamp_tz | c at time zone 'UTC'
text | '1,234.5' | decimal | to_number(c, '9,999.9')
text | 'b' | string | case c when 'a' then 'Alpha' when 'b' then 'Beta' else 'Other' end
timestamp | timestamp '2024-01-31 10:00:00' | timestamp_ntz | date_trunc('month', c)
text | 'a,b' | string | (string_to_array(c, ','))[1]
text | 'a12' | boolean | c ~ '^[a-z][0-9]{2}$'
`),
  mysql: read(String.raw`
bigint | 1999 | decimal | c / 100.0
bigint | 1999 | decimal | cast(c / 100.0 as decimal(18, 2))
bigint | 1700000000 | timestamp_ntz | from_unixtime(c)
varchar(50) | '31.01.2024' | date | str_to_date(c, '%d.%m.%Y')
varchar(50) | 'Y' | boolean | c = 'Y'
varchar(50) | 'a  b' | string | replace(c, '  ', ' ')
varchar(50) | ' A ' | string | lower(trim(c))
varchar(50) | ' a ' | string | nullif(trim(c), '')
varchar(50) | null | string | ifnull(c, 'n/a')
varchar(50) | '{"a": "x"}' | string | json_unquote(json_extract(c, '$.a'))
varchar(50) | '{"a": "x"}' | string | json_value(c, '$.a')
varchar(50) | 'ab12' | string | regexp_replace(c, '[^0-9]+', '')
varchar(50) | 'ada@x.io' | string | sha2(lower(c), 256)
varchar(50) | '7' | string | lpad(c, 5, '0')
varchar(50) | 'a' | string | concat_ws('-', c, 'x')
decimal(10,2) | 1.55 | decimal | ifnull(c, 0)
varchar(50) | 'a@b' | string | substring_index(c, '@', -1)
datetime | '2024-01-31 10:00:00' | date | date(c)
varchar(50) | 'b' | string | if(c = 'a', 'Alpha', 'Beta')
decimal(10,4) | 1.5555 | decimal | round(c, 4)
`),
  sqlite: read(String.raw`
integer | 1999 | float | c / 100.0
integer | 1700000000 | timestamp_ntz | datetime(c, 'unixepoch')
text | '2024-01-31 10:00:00' | date | date(c)
text | '2024-01-31' | date | date(trim(c))
text | '2024-01-31' | string | strftime('%Y-%m', c)
text | 'Y' | boolean | c = 'Y'
text | 'a  b' | string | replace(c, '  ', ' ')
text | ' A ' | string | lower(trim(c))
text | ' a ' | string | nullif(trim(c), '')
text | null | string | coalesce(c, 'n/a')
text | '{"a": "x"}' | string | json_extract(c, '$.a')
text | '{"a": "x"}' | string | c ->> '$.a'
text | 'a@b' | string | substr(c, instr(c, '@') + 1)
text | 'b' | string | iif(c = 'a', 'Alpha', 'Beta')
real | 1.55 | float | round(c, 2)
text | '12' | integer | cast(c as integer)
text | '20240131' | date | date(substr(c, 1, 4) || '-' || substr(c, 5, 2) || '-' || substr(c, 7, 2))
`),
  snowflake: read(String.raw`
number(38,0) | 1999 | decimal | c / 100.0
number(38,0) | 1700000000123 | timestamp_ntz | to_timestamp_ntz(c, 3)
varchar | '20240131' | date | to_date(c, 'YYYYMMDD')
varchar | '2024-01-31' | date | try_to_date(c)
varchar | 'yes' | boolean | to_boolean(c)
varchar | 'a  b   c' | string | replace(c, '  ', ' ')
varchar | '  ab ' | string | upper(trim(c))
varchar | ' x ' | string | nullif(trim(c), '')
varchar | 'a' | string | nvl(c, 'n/a')
variant | parse_json('{"a": {"b": "x"}}') | string | c:a.b::string
variant | parse_json('{"items": [{"name": "first"}]}') | string | c:items[0].name::varchar
varchar | '{"a": 1}' | json | parse_json(c)
varchar | '{"a": "x  y"}' | string | parse_json(c):a::string
varchar | 'a1b2' | string | regexp_replace(c, '[^0-9]', '')
varchar | 'ab12cd3' | string | regexp_substr(c, '[0-9]+')
varchar | 'Ann@Example.com' | string | sha2(lower(c), 256)
varchar | '42' | string | lpad(c, 5, '0')
varchar | 'a' | string | concat_ws('-', c, 'x')
varchar | '42' | integer | try_cast(c as integer)
number(10,2) | 7.25 | decimal | coalesce(c, 0)
varchar | 'ann@example.com' | string | split_part(c, '@', 2)
timestamp_ntz | '2024-07-01 00:30:00' | timestamp_ntz | convert_timezone('America/New_York', 'UTC', c)
varchar | 'a' | string | iff(c = 'a', 'Alpha', 'Beta')
timestamp_ntz | '2024-07-15 10:20:30' | timestamp_ntz | date_trunc('month', c)
`),
  clickhouse: read(String.raw`
Int64 | 1999 | decimal | c / 100.0
Int64 | 1999 | decimal | toDecimal64(c, 2) / 100
Int64 | 1999 | decimal | cast(c as Decimal(18, 2)) / 100
Int64 | 1700000000123 | timestamp_tz | fromUnixTimestamp64Milli(c)
Int64 | 1700000000 | timestamp_tz | toDateTime(c)
String | '31.01.2024 10:20' | timestamp_tz | parseDateTimeBestEffort(c)
String | '2024-01-31' | date | toDate(c)
String | '2024-01-31' | date | toDateOrNull(c)
String | 'Y' | boolean | c = 'Y'
String | 'yes' | boolean | c in ('yes', 'y')
String | 'a  b   c' | string | replaceAll(c, '  ', ' ')
String | '  ab ' | string | upper(trimBoth(c))
String | ' x ' | string | nullIf(trimBoth(c), '')
Nullable(String) | 'a' | string | ifNull(c, 'n/a')
Nullable(String) | null | string | coalesce(c, 'n/a')
String | '{"a": {"b": "x  y"}}' | string | JSONExtractString(c, 'a', 'b')
String | '{"a": 7}' | integer | JSONExtractInt(c, 'a')
String | 'a1b2' | string | replaceRegexpAll(c, '[^0-9]', '')
String | 'ab12cd3' | string | extract(c, '[0-9]+')
String | 'Ann@Example.com' | string | lower(hex(SHA256(lower(c))))
String | '42' | string | leftPad(c, 5, '0')
String | 'a' | string | concatWithSeparator('-', c, 'x')
String | 'a' | string | concat(c, '-', 'x')
String | '42' | integer | toInt64OrNull(c)
String | 'ann@example.com' | string | splitByChar('@', c)[2]
Int64 | 7 | integer | coalesce(c, 0)
DateTime('UTC') | '2024-07-15 10:20:30' | date | toStartOfMonth(c)
DateTime('UTC') | '2024-07-15 10:20:30' | timestamp_tz | toTimeZone(c, 'America/New_York')
Float64 | 19.999 | float | round(c, 2)
String | 'b' | string | multiIf(c = 'a', 'Alpha', c = 'b', 'Beta', c)
String | 'b' | string | case when c = 'a' then 'Alpha' else concat('not ', c) end
`),
  bigquery: read(String.raw`
int64 | 0 | float | c / 100.0
int64 | 0 | timestamp_tz | timestamp_millis(c)
string | 0 | date | parse_date('%Y%m%d', c)
string | 0 | date | safe.parse_date('%Y-%m-%d', c)
string | 0 | integer | safe_cast(c as int64)
string | 0 | string | replace(c, '  ', ' ')
string | 0 | string | nullif(trim(c), '')
string | 0 | string | ifnull(c, 'n/a')
string | 0 | string | json_value(c, '$.a.b')
string | 0 | string | regexp_replace(c, r'[^\d]', '')
string | 0 | string | regexp_extract(c, r'@(.+)$')
string | 0 | string | to_hex(sha256(lower(c)))
string | 0 | string | lpad(c, 5, '0')
string | 0 | string | split(c, ',')[safe_offset(0)]
numeric | 0 | decimal | round(c, 9)
string | 0 | boolean | lower(c) in ('y', 'yes')
timestamp | 0 | timestamp_tz | timestamp_trunc(c, month)
struct<city string> | 0 | string | c.city
`),
  databricks: read(String.raw`
bigint | 0 | decimal | c / 100.0
bigint | 0 | timestamp_tz | timestamp_millis(c)
string | 0 | date | to_date(c, 'yyyyMMdd')
string | 0 | integer | try_cast(c as int)
string | 0 | string | replace(c, '  ', ' ')
string | 0 | string | nullif(trim(c), '')
string | 0 | string | c:a.b
string | 0 | string | get_json_object(c, '$.a')
string | 0 | string | regexp_replace(c, '[^0-9]', '')
string | 0 | string | sha2(lower(c), 256)
string | 0 | string | lpad(c, 5, '0')
string | 0 | string | concat_ws('-', c, 'x')
string | 0 | string | split(c, ',')[0]
bigint | 0 | integer | coalesce(c, 0)
string | 0 | boolean | c rlike '^[a-z]+$'
struct<city:string> | 0 | string | c.city
`),
  redshift: read(String.raw`
bigint | 0 | decimal | c / 100.0
bigint | 0 | timestamp_ntz | timestamp 'epoch' + c * interval '1 second'
varchar(50) | 0 | date | to_date(c, 'YYYYMMDD')
varchar(50) | 0 | string | replace(c, '  ', ' ')
varchar(50) | 0 | string | nullif(btrim(c), '')
varchar(50) | 0 | string | nvl(c, 'n/a')
varchar(50) | 0 | string | json_extract_path_text(c, 'a', 'b')
varchar(50) | 0 | string | regexp_replace(c, '[^0-9]', '')
varchar(50) | 0 | string | sha2(lower(c), 256)
varchar(50) | 0 | string | lpad(c, 5, '0')
bigint | 0 | integer | nvl(c, 0)
timestamp | 0 | timestamp_ntz | convert_timezone('US/Eastern', 'UTC', c)
varchar(50) | 0 | string | decode(c, 'a', 'Alpha', 'Beta')
`),
  sqlserver: read(String.raw`
bigint | 0 | decimal | c / 100.0
bigint | 0 | timestamp_ntz | dateadd(second, c, cast('1970-01-01' as datetime2))
nvarchar(50) | 0 | date | try_convert(date, c, 112)
nvarchar(50) | 0 | integer | try_cast(c as int)
nvarchar(50) | 0 | string | replace(c, '  ', ' ')
nvarchar(50) | 0 | string | nullif(ltrim(rtrim(c)), '')
nvarchar(50) | 0 | string | isnull(c, 'n/a')
nvarchar(50) | 0 | string | json_value(c, '$.a.b')
nvarchar(50) | 0 | string | convert(varchar(64), hashbytes('SHA2_256', c), 2)
nvarchar(50) | 0 | string | iif(c = 'a', 'Alpha', 'Beta')
datetime2 | 0 | date | cast(c as date)
nvarchar(50) | 0 | string | substring(c, charindex('@', c) + 1, 100)
`),
  trino: read(String.raw`
bigint | 0 | decimal | c / 100.0
bigint | 0 | timestamp_tz | from_unixtime(c)
varchar | 0 | timestamp_ntz | date_parse(c, '%Y-%m-%d')
varchar | 0 | integer | try_cast(c as integer)
varchar | 0 | string | replace(c, '  ', ' ')
varchar | 0 | string | nullif(trim(c), '')
varchar | 0 | string | json_extract_scalar(c, '$.a')
varchar | 0 | string | regexp_replace(c, '[^0-9]', '')
varchar | 0 | string | to_hex(sha256(to_utf8(lower(c))))
varchar | 0 | string | lpad(c, 5, '0')
varchar | 0 | string | split_part(c, '@', 2)
varchar | 0 | string | split(c, ',')[1]
timestamp | 0 | timestamp_ntz | date_trunc('month', c)
bigint | 0 | integer | nullif(c, -1)
`),
}

/** Expressions over `c`, beside `d`, that lose or swap a column, or are another each time. */
export const HOSTILE_EXPRESSIONS: readonly string[] = [
  'cast(null as varchar(9))',
  'null',
  "'x'",
  '1',
  'true',
  'd',
  'lower(d)',
  'coalesce(d, c)',
  'cast(d as varchar(9))',
  'case when true then d else c end',
  'case when 1 = 1 then d else c end',
  'case when c = c then d else c end',
  'case when c is null then c else d end',
  'case when c is not null then d end',
  'case when c is null then d end',
  'case when c is not null then d else c end',
  "case when d = 'x' then c else 'y' end",
  'case when c is null then null else null end',
  "case when c is null or c is not null then 'x' end",
  "case when c like '%' then d else c end",
  "case when c = 'x' then c else d end",
  'nullif(c, c)',
  'nullif(d, c)',
  'left(c, 0) || d',
  'substr(c, 1, 0)',
  'd || substr(c, 1, 1)',
  'concat(d, substr(c, 900))',
  'replace(c, c, d)',
  "replace(d, 'x', c)",
  'greatest(c, d)',
  'c || null',
  'c || c',
  'coalesce(nullif(c, c), d)',
  'coalesce(cast(null as varchar(9)), d, c)',
  "regexp_replace(c, '.*', '')",
  "regexp_replace(c, '.+', 'x')",
  "'n' || 'ow'",
  "coalesce(c, 'n' || 'ow')",
  "cast('now' as date)",
  "cast('n' || 'ow' as timestamp)",
  "cast(coalesce(c, 'n' || 'ow') as timestamp)",
  "cast(substr(c, 1, 0) || 'no' || 'w' as timestamp)",
  'now()',
  'current_timestamp',
  'current_date',
  'current_user',
  'random()',
  '(select 1)',
  '(select max(d) from t)',
  'c in (select d from t)',
  'exists (select 1)',
  't.c',
  'other.c',
  'c; drop table x',
  'c -- x',
  'c /* x */',
  "{{ run_query('x') }}",
  "'{{ x }}' || c",
  "c || '{% x %}'",
  'count(*)',
  'max(c)',
  'row_number() over ()',
  'pg_sleep(5)',
  "getenv('HOME')",
  "read_csv('x')",
  "lpad(c, 100000000, 'x')",
  'repeat(c, 100000)',
  "regexp_replace(c, '(a+)+$', '')",
  "replace(replace(replace(c, 'a', 'aaaaaaaa'), 'a', 'aaaaaaaa'), 'a', 'aaaaaaaa')",
  'version()',
  '$1',
  '@@version',
  '*',
  'c as x',
  'c, d',
  'distinct c',
  'ssn',
  '',
  "split_part(c, ',', 0)",
  'not true',
  'd is null',
]

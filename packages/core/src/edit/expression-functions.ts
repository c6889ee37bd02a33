import type { DialectName } from '@stagecraft/spec'

/** What a proposed expression may call, as data. Nothing that is not in these lists is called. */
export interface ExpressionFunctions {
  /** As the vendor's reference spells them; case counts only where the dialect's names have case. */
  readonly names: readonly string[]
  /** Those of them that take a bare date part, such as `month`, as an argument. */
  readonly withPart: readonly string[]
  /** Calls that are written with `as` and a type. */
  readonly casts: readonly string[]
  /** Whether `x::type` is a cast. */
  readonly colonCast: boolean
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

/**
 * Scalar functions that all of the dialects have by this name. Each gives the same value for the same row,
 * reads nothing but its arguments, and cannot make a long text out of a short one by a number
 * (`repeat`, `lpad`), so that those are missing here as well as in the lists below.
 */
const EVERYWHERE = words(`
  abs coalesce concat floor lower ltrim nullif replace round rtrim substring trim upper
`)

/** What Trino and Athena, its relative, have beyond that. */
const TRINO = words(`
  ceil date date_add date_diff date_format date_parse date_trunc day from_iso8601_date
  from_iso8601_timestamp from_unixtime greatest hour if least length minute mod month quarter
  second split_part strpos substr to_unixtime week year
`)

export const EXPRESSION_FUNCTIONS: Readonly<Record<DialectName, ExpressionFunctions>> = {
  /** https://docs.aws.amazon.com/athena/latest/ug/functions-env3.html */
  athena: { names: [...EVERYWHERE, ...TRINO], withPart: [], casts: ['cast', 'try_cast'], colonCast: false },

  /** https://cloud.google.com/bigquery/docs/reference/standard-sql/functions-all */
  bigquery: {
    names: [
      ...EVERYWHERE,
      ...words(`
      ceil char_length date date_add date_diff date_sub date_trunc datetime datetime_diff
      datetime_trunc div format_date format_timestamp greatest if ifnull initcap least left length
      mod parse_date parse_datetime parse_timestamp right safe_divide sign starts_with strpos
      substr timestamp timestamp_diff timestamp_micros timestamp_millis timestamp_seconds
      timestamp_trunc unix_micros unix_millis unix_seconds
    `),
    ],
    withPart: [
      'date_diff',
      'date_trunc',
      'datetime_diff',
      'datetime_trunc',
      'timestamp_diff',
      'timestamp_trunc',
    ],
    casts: ['cast', 'safe_cast'],
    colonCast: false,
  },

  /** https://clickhouse.com/docs/sql-reference/functions */
  clickhouse: {
    names: [
      ...EVERYWHERE,
      ...words(`
      ceil dateDiff date_trunc empty fromUnixTimestamp64Micro fromUnixTimestamp64Milli greatest if
      ifNull initcap intDiv least left length lengthUTF8 lowerUTF8 notEmpty
      parseDateTimeBestEffortOrNull position replaceAll replaceOne right startsWith substr toDate
      toDate32 toDateTime toDateTime64 toDayOfMonth toDecimal128 toDecimal64 toFloat64
      toFloat64OrNull toHour toInt32 toInt32OrNull toInt64 toInt64OrNull toMonth toStartOfDay
      toStartOfHour toStartOfMonth toString toTimeZone toUnixTimestamp toYear trimBoth upperUTF8
    `),
    ],
    withPart: [],
    casts: ['cast', 'CAST'],
    colonCast: true,
  },

  /** https://docs.databricks.com/en/sql/language-manual/sql-ref-functions-builtin.html */
  databricks: {
    names: [
      ...EVERYWHERE,
      ...words(`
      add_months ceil char_length contains convert_timezone date_add date_format date_sub
      date_trunc dateadd datediff day endswith from_utc_timestamp greatest hour if ifnull initcap
      instr least left length minute mod month nvl nvl2 quarter right second sign split_part
      startswith substr timestamp_micros timestamp_millis timestamp_seconds to_date to_timestamp
      to_utc_timestamp trunc unix_timestamp year
    `),
    ],
    withPart: ['dateadd', 'datediff'],
    casts: ['cast', 'try_cast'],
    colonCast: true,
  },

  /** https://duckdb.org/docs/stable/sql/functions/overview */
  duckdb: {
    names: [
      ...EVERYWHERE,
      ...words(`
      ceil contains date_diff date_part date_trunc day epoch epoch_ms greatest hour ifnull instr
      least left length make_timestamp make_timestamp_ms minute mod month quarter right second
      sign split_part starts_with strftime strlen strpos strptime substr to_timestamp trunc
      try_strptime year
    `),
    ],
    withPart: [],
    casts: ['cast', 'try_cast'],
    colonCast: true,
  },

  /** https://dev.mysql.com/doc/refman/8.4/en/built-in-function-reference.html */
  mysql: {
    names: [
      ...EVERYWHERE,
      ...words(`
      ceil ceiling char_length convert_tz date date_add date_format date_sub datediff day
      from_unixtime greatest hour if ifnull instr least left length locate minute mod month
      quarter right second sign str_to_date substr substring_index timestampadd timestampdiff
      truncate year
    `),
    ],
    withPart: ['timestampadd', 'timestampdiff'],
    casts: ['cast'],
    colonCast: false,
  },

  /** https://www.postgresql.org/docs/current/functions.html */
  postgres: {
    names: [
      ...EVERYWHERE,
      ...words(`
      btrim ceil ceiling char_length date_part date_trunc greatest initcap least left length mod
      right sign split_part starts_with strpos substr timezone to_char to_date to_number
      to_timestamp translate trunc
    `),
    ],
    withPart: [],
    casts: ['cast'],
    colonCast: true,
  },

  /** https://docs.aws.amazon.com/redshift/latest/dg/c_SQL_functions.html */
  redshift: {
    names: [
      ...EVERYWHERE,
      ...words(`
      btrim ceil ceiling char_length convert_timezone date_part date_trunc dateadd datediff decode
      greatest initcap least left len length mod nvl nvl2 right sign split_part strpos substr
      to_char to_date to_number to_timestamp translate trunc
    `),
    ],
    withPart: ['date_part', 'dateadd', 'datediff'],
    casts: ['cast'],
    colonCast: true,
  },

  /** https://docs.snowflake.com/en/sql-reference/functions-all */
  snowflake: {
    names: [
      ...EVERYWHERE,
      ...words(`
      ceil charindex contains convert_timezone date_part date_trunc dateadd datediff day decode
      div0 endswith equal_null greatest hour iff ifnull initcap least left length minute mod month
      nullifzero nvl nvl2 quarter right second sign split_part startswith substr to_boolean
      to_char to_date to_decimal to_double to_number to_time to_timestamp to_timestamp_ntz
      to_timestamp_tz to_varchar translate trunc try_to_boolean try_to_date try_to_decimal
      try_to_double try_to_number try_to_timestamp try_to_timestamp_ntz year zeroifnull
    `),
    ],
    withPart: ['date_part', 'date_trunc', 'dateadd', 'datediff'],
    casts: ['cast', 'try_cast'],
    colonCast: true,
  },

  /**
   * https://www.sqlite.org/lang_corefunc.html and https://www.sqlite.org/lang_datefunc.html, without strftime:
   * given a format alone, it prints the present time.
   */
  sqlite: {
    names: [
      ...EVERYWHERE,
      ...words(`
      ceil date datetime ifnull iif instr julianday length mod sign substr time unixepoch
    `),
    ],
    withPart: [],
    casts: ['cast'],
    colonCast: false,
  },

  /** https://learn.microsoft.com/en-us/sql/t-sql/functions/functions */
  sqlserver: {
    names: [
      ...EVERYWHERE,
      ...words(`
      ceiling charindex datalength dateadd datediff datepart day iif isnull left len month right
      sign translate year
    `),
    ],
    withPart: ['dateadd', 'datediff', 'datepart'],
    casts: ['cast', 'try_cast'],
    colonCast: false,
  },

  /** https://trino.io/docs/current/functions/list.html */
  trino: { names: [...EVERYWHERE, ...TRINO], withPart: [], casts: ['cast', 'try_cast'], colonCast: false },
}

/** Bare words that say which part of a date is meant. */
export const DATE_PARTS: ReadonlySet<string> = new Set(
  words(`
    year quarter month week isoweek isoyear day dayofweek dayofyear dow doy hour minute second
    millisecond microsecond epoch
  `),
)

import type { DialectName } from '@stagecraft/spec'
import type { Family } from './dialect.ts'

/**
 * The result of a function: a family; that of its first argument; the widest of its arguments; that of the
 * branches which it chooses from; that of the first moment among its arguments; or what only the data tell.
 */
export type FunctionResult = Family | 'first' | 'common' | 'branches' | 'moment' | 'open'

/** The functions and syntax that a proposed expression may use, as data. */
export interface ExpressionFunctions {
  /** By what they give. As the vendor's reference spells them; case counts only where the dialect's names have case. */
  readonly results: Readonly<Partial<Record<FunctionResult, string>>>
  /** Those of them that take a bare date part, such as `month`, as an argument. */
  readonly withPart: readonly string[]
  /** Calls that are written with `as` and a type. */
  readonly casts: readonly string[]
  /** Calls that are written with a type as the first argument. */
  readonly converts?: readonly string[]
  /** True if `x::type` is a cast. */
  readonly colonCast: boolean
  /** Further syntax of the dialect, which others lack or read differently. */
  readonly syntax?: Partial<ExpressionSyntax>
  /** The types of numbers and of their quotients. */
  readonly numbers: NumberRules
}

export interface ExpressionSyntax {
  /** Operators that step into a document. */
  readonly steps: readonly string[]
  /** `x:name`, a path into a document. */
  readonly colonPaths: boolean
  /** `x.name`, a field of a record. */
  readonly dots: boolean
  /** `x[1]`. */
  readonly brackets: boolean
  /** Words that may stand around the number in brackets. */
  readonly offsets: readonly string[]
  /** `~` and its kin match regular expressions. */
  readonly matchSigns: boolean
  /** `x rlike y`, `x regexp y`. */
  readonly matchWords: boolean
  /** `safe.f(x)`. */
  readonly safePrefix: boolean
  /** `interval x day`, where x is a column. */
  readonly intervalsOfColumns: boolean
}

export const PLAIN_SYNTAX: ExpressionSyntax = {
  steps: [],
  colonPaths: false,
  dots: false,
  brackets: false,
  offsets: [],
  matchSigns: false,
  matchWords: false,
  safePrefix: false,
  intervalsOfColumns: false,
}

interface NumberRules {
  /** The result of a whole number divided by a whole number. */
  readonly division: 'integer' | 'decimal' | 'float'
  /** The type of `1.5`. */
  readonly literal: 'decimal' | 'float'
  /** Decimals are divided as floating point numbers. */
  readonly decimalDivision: 'decimal' | 'float'
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

/**
 * Scalar functions that all of the dialects have by this name. Each gives the same value for the same row and
 * reads nothing but its arguments.
 */
const EVERYWHERE: Readonly<Partial<Record<FunctionResult, string>>> = {
  string: 'concat lower ltrim replace rtrim substring trim upper',
  first: 'abs floor nullif round',
  common: 'coalesce',
}

/** The functions of a dialect beside those of all. */
function results(
  own: Readonly<Partial<Record<FunctionResult, string>>>,
): Readonly<Partial<Record<FunctionResult, string>>> {
  const all = new Set([...Object.keys(EVERYWHERE), ...Object.keys(own)]) as ReadonlySet<FunctionResult>
  return Object.fromEntries(
    [...all].map((result) => [result, `${EVERYWHERE[result] ?? ''} ${own[result] ?? ''}`.trim()]),
  )
}

/** The functions that Trino and Athena, its relative, have beyond that. */
const TRINO = results({
  string: `chr date_format format_datetime json_extract_scalar json_format lpad normalize regexp_extract
    regexp_replace reverse rpad split_part substr to_base64 to_hex translate url_extract_host concat_ws`,
  binary: 'from_base64 from_hex md5 sha1 sha256 sha512 to_utf8',
  integer: `cardinality codepoint date_diff day day_of_month day_of_week day_of_year hour json_array_length
    length levenshtein_distance minute month quarter second strpos week year millisecond position`,
  float: 'exp ln log10 pow power sqrt to_unixtime',
  first: 'ceil ceiling mod sign truncate',
  common: 'greatest least',
  branches: 'if',
  boolean: 'contains is_json_scalar regexp_like starts_with',
  date: 'date from_iso8601_date last_day_of_month',
  timestamp_ntz: 'date_parse',
  timestamp_tz:
    'at_timezone from_iso8601_timestamp from_unixtime from_unixtime_nanos parse_datetime with_timezone',
  moment: 'date_add date_trunc',
  json: 'json_extract json_parse',
  array: 'array_distinct array_sort regexp_extract_all split',
  open: 'element_at',
})

/** https://trino.io/docs/current/language/types.html: decimal literals, whole division of whole numbers. */
const TRINO_NUMBERS: NumberRules = { division: 'integer', literal: 'decimal', decimalDivision: 'decimal' }

export const EXPRESSION_FUNCTIONS: Readonly<Record<DialectName, ExpressionFunctions>> = {
  /** https://docs.aws.amazon.com/athena/latest/ug/functions-env3.html */
  athena: {
    results: TRINO,
    withPart: [],
    casts: ['cast', 'try_cast'],
    colonCast: false,
    syntax: { dots: true, brackets: true },
    numbers: TRINO_NUMBERS,
  },

  /** https://cloud.google.com/bigquery/docs/reference/standard-sql/functions-all and …/operators */
  bigquery: {
    results: results({
      string: `chr concat format_date format_datetime format_timestamp initcap json_extract_scalar json_value left
        lpad normalize regexp_extract regexp_replace regexp_substr reverse right rpad string substr to_base64
        to_hex to_json_string translate`,
      binary: 'from_base64 from_hex md5 sha1 sha256 sha512',
      integer: `array_length ascii char_length character_length date_diff datetime_diff div farm_fingerprint instr
        int64 length octet_length strpos timestamp_diff unix_date unix_micros unix_millis unix_seconds`,
      float: 'exp float64 ieee_divide ln log log10 pow power safe_divide sqrt',
      first: 'ceil ceiling mod safe_negate sign trunc',
      common: 'greatest ifnull least',
      branches: 'if',
      boolean: 'bool contains_substr ends_with regexp_contains starts_with',
      date: 'date last_day parse_date',
      timestamp_ntz: 'datetime datetime_add datetime_sub parse_datetime',
      timestamp_tz: `parse_timestamp timestamp timestamp_add timestamp_micros timestamp_millis
        timestamp_seconds timestamp_sub`,
      time: 'parse_time time',
      moment: 'date_add date_sub date_trunc datetime_trunc timestamp_trunc',
      json: 'json_extract json_query lax_int64 parse_json',
      array: 'json_extract_array json_extract_string_array json_query_array json_value_array split',
    }),
    withPart: words(
      'date_diff date_trunc datetime_diff datetime_trunc last_day timestamp_diff timestamp_trunc',
    ),
    casts: ['cast', 'safe_cast'],
    colonCast: false,
    syntax: {
      dots: true,
      brackets: true,
      offsets: ['offset', 'ordinal', 'safe_offset', 'safe_ordinal'],
      safePrefix: true,
      intervalsOfColumns: true,
    },
    numbers: { division: 'float', literal: 'float', decimalDivision: 'decimal' },
  },

  /** https://clickhouse.com/docs/sql-reference/functions */
  clickhouse: {
    results: results({
      string: `JSONExtractRaw JSONExtractString JSON_VALUE MD5 SHA1 SHA256 SHA512 base64Encode concatWithSeparator
        concat_ws domain extract formatDateTime hex initcap left leftPad leftPadUTF8 lowerUTF8 lpad
        regexpExtract replaceAll replaceOne replaceRegexpAll replaceRegexpOne reverse right rightPad
        rightPadUTF8 rpad simpleJSONExtractString substr substringUTF8 toString trimBoth trimLeft trimRight
        upperUTF8 visitParamExtractString`,
      integer: `JSONExtractInt JSONExtractUInt JSONLength cityHash64 crc32 dateDiff day hour intDiv length lengthUTF8
        minute modulo month position quarter second sipHash64 toDayOfMonth toDayOfWeek toDayOfYear toHour
        toInt16 toInt16OrNull toInt32 toInt32OrNull toInt64 toInt64OrNull toInt8 toInt8OrNull toISOWeek
        toMinute toMonth toQuarter toSecond toUInt16 toUInt16OrNull toUInt32 toUInt32OrNull toUInt64
        toUInt64OrNull toUInt8 toUInt8OrNull toUnixTimestamp toUnixTimestamp64Milli toYYYYMM toYYYYMMDD toYear
        xxHash64 year`,
      float:
        'JSONExtractFloat exp log log10 pow power sqrt toFloat32 toFloat32OrNull toFloat64 toFloat64OrNull',
      decimal: `toDecimal128 toDecimal128OrNull toDecimal32 toDecimal32OrNull toDecimal64 toDecimal64OrNull`,
      first: 'assumeNotNull ceil ceiling nullIf sign toNullable trunc truncate',
      common: 'greatest ifNull least',
      branches: 'if multiIf',
      boolean: `JSONExtractBool JSONHas empty endsWith has isNotNull isNull match notEmpty startsWith toBool`,
      date: `toDate toDate32 toDate32OrNull toDateOrNull toLastDayOfMonth toMonday toStartOfMonth toStartOfQuarter
        toStartOfWeek toStartOfYear`,
      timestamp_tz: `fromUnixTimestamp fromUnixTimestamp64Micro fromUnixTimestamp64Milli fromUnixTimestamp64Nano
        parseDateTime parseDateTime64BestEffort parseDateTime64BestEffortOrNull parseDateTimeBestEffort
        parseDateTimeBestEffortOrNull toDateTime toDateTime64 toDateTime64OrNull toDateTimeOrNull
        toStartOfDay toStartOfHour toStartOfMinute toTimeZone`,
      moment: `addDays addHours addMinutes addMonths addSeconds addWeeks addYears dateTrunc date_trunc subtractDays
        subtractHours subtractMonths subtractSeconds subtractYears`,
      array: 'splitByChar splitByString',
      uuid: 'toUUID toUUIDOrNull',
      open: 'arrayElement JSONExtract',
    }),
    withPart: [],
    casts: ['cast', 'CAST'],
    colonCast: true,
    syntax: { brackets: true },
    numbers: { division: 'float', literal: 'float', decimalDivision: 'decimal' },
  },

  /** https://docs.databricks.com/en/sql/language-manual/sql-ref-functions-builtin.html */
  databricks: {
    results: results({
      string: `base64 btrim chr concat_ws date_format get_json_object hex initcap left lpad ltrim md5 regexp_extract
        regexp_replace regexp_substr reverse right rpad sha sha1 sha2 split_part substr substring_index
        to_char to_json to_varchar translate`,
      integer: `ascii bigint char_length character_length crc32 datediff day dayofmonth dayofweek dayofyear
        date_diff hour instr int json_array_length len length locate minute month position quarter second size unix_date
        unix_micros unix_millis unix_seconds unix_timestamp weekofyear xxhash64 year array_size levenshtein`,
      float: 'double exp ln log10 pow power sqrt try_divide',
      decimal: 'to_number try_to_number',
      first: 'ceil ceiling mod nullifzero sign',
      common: 'greatest ifnull least nvl',
      branches: 'decode if iff nvl2',
      boolean: 'boolean contains endswith isnotnull isnull regexp_like rlike startswith array_contains',
      date: 'add_months date date_sub last_day make_date to_date trunc try_to_date',
      timestamp_ntz: 'convert_timezone to_timestamp_ntz',
      timestamp_tz: `date_trunc from_utc_timestamp timestamp timestamp_micros timestamp_millis
        timestamp_seconds to_timestamp to_utc_timestamp try_to_timestamp`,
      moment: 'date_add dateadd timestampadd',
      json: 'parse_json try_parse_json',
      array: 'split',
      binary: 'unbase64 unhex to_binary',
      open: 'element_at from_unixtime try_element_at try_variant_get variant_get zeroifnull',
    }),
    withPart: ['date_diff', 'dateadd', 'datediff', 'timestampadd'],
    casts: ['cast', 'try_cast'],
    colonCast: true,
    syntax: {
      colonPaths: true,
      dots: true,
      brackets: true,
      matchWords: true,
      intervalsOfColumns: true,
    },
    numbers: { division: 'float', literal: 'decimal', decimalDivision: 'decimal' },
  },

  /** https://duckdb.org/docs/stable/sql/functions/overview and …/sql/data_types/numeric */
  duckdb: {
    results: results({
      string: `array_to_string chr concat_ws dayname hex json_extract_string json_value left lpad md5 monthname regexp_extract
        regexp_replace reverse right rpad sha1 sha256 split_part strftime strip_accents substr to_base64
        translate`,
      integer: `array_length ascii date_diff date_part date_sub datediff datepart datesub day dayofmonth dayofweek
        dayofyear epoch_us hash hour instr isodow json_array_length len length levenshtein minute month
        position quarter second strlen strpos unicode week weekday weekofyear year`,
      float: 'epoch exp ln log10 pow power sqrt',
      first: 'ceil ceiling sign trunc',
      common: 'greatest ifnull least',
      branches: 'if',
      boolean: `contains ends_with json_exists json_valid list_contains prefix regexp_full_match regexp_matches
        starts_with suffix`,
      date: 'last_day make_date',
      timestamp_ntz: 'make_timestamp make_timestamp_ms strptime try_strptime',
      timestamp_tz: 'to_timestamp',
      moment: 'date_add date_trunc datetrunc',
      json: 'json_extract json_extract_path to_json',
      array: 'regexp_split_to_array split str_split string_split string_to_array',
      binary: 'from_base64 unhex',
      open: `array_extract element_at epoch_ms json_extract_path_text list_element list_extract struct_extract
        timezone mod`,
    }),
    withPart: [],
    casts: ['cast', 'try_cast'],
    colonCast: true,
    syntax: { steps: ['->', '->>'], dots: true, brackets: true, intervalsOfColumns: true },
    numbers: { division: 'float', literal: 'decimal', decimalDivision: 'float' },
  },

  /** https://dev.mysql.com/doc/refman/8.4/en/built-in-function-reference.html */
  mysql: {
    results: results({
      string: `concat_ws date_format dayname hex json_unquote json_value left lpad md5 mid monthname regexp_replace
        regexp_substr reverse right rpad sha sha1 sha2 soundex substr substring_index to_base64`,
      integer: `ascii char_length character_length crc32 datediff day dayofmonth dayofweek dayofyear field
        find_in_set hour instr json_length length locate minute month octet_length position quarter
        regexp_instr second sign timestampdiff to_days unix_timestamp week weekday weekofyear year microsecond`,
      float: 'exp ln log log10 pow power sqrt',
      first: 'ceil ceiling mod truncate',
      common: 'greatest ifnull least',
      branches: 'if',
      boolean: 'isnull json_valid regexp_like',
      date: 'date from_days last_day makedate',
      time: 'sec_to_time time',
      timestamp_ntz: 'from_unixtime timestamp',
      moment: 'adddate convert_tz date_add date_sub subdate timestampadd',
      json: 'json_extract',
      binary: 'from_base64 unhex',
      open: 'str_to_date',
    }),
    withPart: ['timestampadd', 'timestampdiff'],
    casts: ['cast'],
    colonCast: false,
    syntax: { steps: ['->', '->>'], matchWords: true, intervalsOfColumns: true },
    numbers: { division: 'decimal', literal: 'decimal', decimalDivision: 'decimal' },
  },

  /** https://www.postgresql.org/docs/current/functions.html */
  postgres: {
    results: results({
      string: `btrim chr concat_ws encode initcap json_extract_path_text jsonb_extract_path_text left lpad md5
        normalize regexp_replace regexp_substr reverse right rpad split_part substr to_char to_hex translate`,
      binary: 'decode sha224 sha256 sha384 sha512',
      integer: `array_length ascii cardinality char_length character_length json_array_length jsonb_array_length length
        octet_length position regexp_count regexp_instr strpos`,
      float: 'date_part',
      decimal: 'to_number',
      first: 'ceil ceiling exp ln mod power sign sqrt trunc',
      common: 'greatest least',
      boolean: 'regexp_like starts_with',
      date: 'make_date to_date',
      timestamp_ntz: 'make_timestamp',
      timestamp_tz: 'to_timestamp',
      moment: 'date_bin date_trunc',
      json: 'json_extract_path jsonb_extract_path to_jsonb',
      array: 'regexp_match regexp_split_to_array string_to_array',
      interval: 'make_interval',
      open: 'timezone',
    }),
    withPart: [],
    casts: ['cast'],
    colonCast: true,
    syntax: { steps: ['->', '->>', '#>', '#>>'], brackets: true, matchSigns: true },
    numbers: { division: 'integer', literal: 'decimal', decimalDivision: 'decimal' },
  },

  /** https://docs.aws.amazon.com/redshift/latest/dg/c_SQL_functions.html */
  redshift: {
    results: results({
      string: `btrim chr func_sha1 initcap json_extract_array_element_text json_extract_path_text left lpad md5
        regexp_replace regexp_substr reverse right rpad sha sha1 sha2 split_part substr to_char to_hex
        translate`,
      integer: `ascii char_length character_length charindex crc32 date_part datediff json_array_length len length
        octet_length position regexp_count regexp_instr strpos`,
      float: 'exp ln log pow power sqrt',
      decimal: 'to_number',
      first: 'ceil ceiling mod sign',
      common: 'greatest isnull least nvl',
      branches: 'decode nvl2',
      boolean: 'is_valid_json is_valid_json_array',
      date: 'last_day to_date',
      timestamp_ntz: 'add_months convert_timezone',
      timestamp_tz: 'to_timestamp',
      moment: 'date_add date_trunc dateadd',
      open: 'timezone trunc',
    }),
    withPart: ['date_part', 'dateadd', 'datediff'],
    casts: ['cast'],
    colonCast: true,
    syntax: { dots: true, brackets: true, matchSigns: true },
    numbers: { division: 'integer', literal: 'decimal', decimalDivision: 'decimal' },
  },

  /** https://docs.snowflake.com/en/sql-reference/functions-all */
  snowflake: {
    results: results({
      string: `as_varchar base64_encode base64_decode_string btrim char chr concat_ws dayname hex_encode initcap json_extract_path_text left
        lpad md5 md5_hex monthname regexp_replace regexp_substr reverse right rpad sha1 sha1_hex sha2 sha2_hex
        split_part strtok substr to_char to_json to_varchar translate collate`,
      binary: 'md5_binary sha1_binary sha2_binary to_binary try_to_binary',
      integer: `array_size ascii charindex date_part datediff day dayofmonth dayofweek dayofweekiso dayofyear
        editdistance hash hour length len minute month octet_length position quarter regexp_count regexp_instr
        second timestampdiff timediff week weekiso weekofyear year yearofweek`,
      float: 'exp ln pow power sqrt to_double try_to_double',
      decimal: `div0 div0null to_decimal to_number to_numeric try_to_decimal try_to_number try_to_numeric`,
      first: 'ceil mod nullifzero sign trunc truncate zeroifnull',
      common: 'greatest ifnull least nvl',
      branches: 'decode iff nvl2',
      boolean: `contains endswith equal_null is_null_value regexp_like rlike startswith to_boolean try_to_boolean`,
      date: 'date date_from_parts last_day next_day previous_day to_date try_to_date',
      time: 'to_time try_to_time',
      timestamp_ntz: `to_timestamp to_timestamp_ntz try_to_timestamp try_to_timestamp_ntz`,
      timestamp_tz: `to_timestamp_ltz to_timestamp_tz try_to_timestamp_ltz try_to_timestamp_tz`,
      moment: 'add_months date_trunc dateadd timestampadd timeadd',
      json: 'get get_path parse_json to_variant try_parse_json',
      array: 'split strtok_to_array',
      open: 'convert_timezone',
    }),
    withPart: words(
      'date_part date_trunc dateadd datediff last_day timeadd timediff timestampadd timestampdiff',
    ),
    casts: ['cast', 'try_cast'],
    colonCast: true,
    syntax: { colonPaths: true, dots: true, brackets: true, matchWords: true },
    numbers: { division: 'decimal', literal: 'decimal', decimalDivision: 'decimal' },
  },

  /**
   * https://www.sqlite.org/lang_corefunc.html, https://www.sqlite.org/lang_datefunc.html and
   * https://www.sqlite.org/json1.html
   */
  sqlite: {
    results: results({
      string: 'char concat_ws hex json_type strftime substr',
      integer: 'instr json_array_length json_valid length octet_length sign unicode unixepoch',
      float: 'exp julianday ln log10 pow power sqrt',
      first: 'ceil ceiling mod trunc',
      common: 'ifnull',
      branches: 'if iif',
      date: 'date',
      time: 'time',
      timestamp_ntz: 'datetime',
      open: 'json_extract',
    }),
    withPart: [],
    casts: ['cast'],
    colonCast: false,
    syntax: { steps: ['->', '->>'] },
    numbers: { division: 'integer', literal: 'float', decimalDivision: 'float' },
  },

  /** https://learn.microsoft.com/en-us/sql/t-sql/functions/functions */
  sqlserver: {
    results: results({
      string: `char concat_ws datename json_value left nchar quotename reverse right soundex str stuff substring
        translate`,
      binary: 'hashbytes',
      integer: `ascii charindex checksum datalength datediff datediff_big datepart day isjson len month patindex sign
        unicode year`,
      float: 'exp log log10 sqrt square',
      first: 'ceiling isnull power',
      branches: 'iif',
      common: 'greatest least',
      date: 'datefromparts eomonth',
      timestamp_tz: 'switchoffset todatetimeoffset',
      moment: 'dateadd datetrunc',
      json: 'json_query',
    }),
    withPart: ['dateadd', 'datediff', 'datediff_big', 'datename', 'datepart', 'datetrunc'],
    casts: ['cast', 'try_cast'],
    converts: ['convert', 'try_convert'],
    colonCast: false,
    numbers: { division: 'integer', literal: 'decimal', decimalDivision: 'decimal' },
  },

  /** https://trino.io/docs/current/functions/list.html */
  trino: {
    results: TRINO,
    withPart: [],
    casts: ['cast', 'try_cast'],
    colonCast: false,
    syntax: { dots: true, brackets: true },
    numbers: TRINO_NUMBERS,
  },
}

/** Bare words that say which part of a date is meant. */
export const DATE_PARTS: ReadonlySet<string> = new Set(
  words(`
    year quarter month week isoweek isoyear day dayofweek dayofyear dow doy hour minute second
    millisecond milliseconds microsecond microseconds epoch epoch_second epoch_millisecond days hours minutes seconds months years
    weeks isodow week_iso timezone_hour decade century
  `),
)

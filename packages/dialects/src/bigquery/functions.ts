import { type FunctionRules, PLAIN_SYNTAX, resultsBeside } from '../function-rules.ts'
import { splitWords } from '../split-words.ts'

export const functions: FunctionRules = {
  pages: [
    'https://cloud.google.com/bigquery/docs/reference/standard-sql/functions-all',
    'https://cloud.google.com/bigquery/docs/reference/standard-sql/operators',
  ],
  results: resultsBeside({
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
  withPart: splitWords(
    'date_diff date_trunc datetime_diff datetime_trunc last_day timestamp_diff timestamp_trunc',
  ),
  casts: ['cast', 'safe_cast'],
  converts: [],
  colonCast: false,
  syntax: {
    ...PLAIN_SYNTAX,
    dots: true,
    brackets: true,
    offsets: ['offset', 'ordinal', 'safe_offset', 'safe_ordinal'],
    safePrefix: true,
    intervalsOfColumns: true,
  },
  numbers: { division: 'float', literal: 'float', decimalDivision: 'decimal' },
  pathResults: { json: 'json' },
  zoneOfZoned: 'timestamp_ntz',
  dateAndInterval: 'timestamp_ntz',
  extract: 'integer',
  numericTruth: false,
  datesAreText: false,
  dateModifiers: false,
  readsTheMachine: false,
  textAsZero: false,
}

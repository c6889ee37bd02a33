import { type FunctionRules, PLAIN_SYNTAX, resultsBeside } from '../function-rules.ts'

export const functions: FunctionRules = {
  pages: [
    'https://trino.io/docs/current/functions/list.html',
    'https://trino.io/docs/current/language/types.html',
  ],
  results: resultsBeside({
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
  }),
  withPart: [],
  casts: ['cast', 'try_cast'],
  converts: [],
  colonCast: false,
  syntax: { ...PLAIN_SYNTAX, dots: true, brackets: true },
  numbers: { division: 'integer', literal: 'decimal', decimalDivision: 'decimal' },
  pathResults: { json: 'json' },
  zoneOfZoned: 'timestamp_tz',
  dateAndInterval: 'date',
  extract: 'integer',
  numericTruth: false,
  datesAreText: false,
  dateModifiers: false,
  readsTheMachine: false,
  textAsZero: false,
}

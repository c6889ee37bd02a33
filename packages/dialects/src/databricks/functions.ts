import { type FunctionRules, PLAIN_SYNTAX, resultsBeside } from '../function-rules.ts'

export const functions: FunctionRules = {
  pages: ['https://docs.databricks.com/en/sql/language-manual/sql-ref-functions-builtin.html'],
  results: resultsBeside({
    string: `base64 btrim chr concat_ws date_format get_json_object hex initcap left lpad ltrim md5 parse_url
      regexp_extract regexp_replace regexp_substr reverse right rpad sha sha1 sha2 split_part substr substring_index
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
  converts: [],
  colonCast: true,
  syntax: {
    ...PLAIN_SYNTAX,
    colonPaths: true,
    dots: true,
    brackets: true,
    matchWords: true,
    intervalsOfColumns: true,
  },
  numbers: { division: 'float', literal: 'decimal', decimalDivision: 'decimal' },
  pathResults: { json: 'json', string: 'string' },
  zoneOfZoned: 'timestamp_ntz',
  dateAndInterval: 'date',
  extract: 'integer',
  numericTruth: false,
  datesAreText: false,
  dateModifiers: false,
  readsTheMachine: false,
  textAsZero: false,
}

import { type FunctionRules, PLAIN_SYNTAX, resultsBeside } from '../function-rules.ts'

export const functions: FunctionRules = {
  pages: ['https://docs.aws.amazon.com/redshift/latest/dg/c_SQL_functions.html'],
  results: resultsBeside({
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
  converts: [],
  colonCast: true,
  syntax: { ...PLAIN_SYNTAX, dots: true, brackets: true, matchSigns: true },
  numbers: { division: 'integer', literal: 'decimal', decimalDivision: 'decimal' },
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

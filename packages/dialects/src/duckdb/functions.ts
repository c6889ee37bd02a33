import { type FunctionRules, PLAIN_SYNTAX, resultsBeside } from '../function-rules.ts'

export const functions: FunctionRules = {
  pages: [
    'https://duckdb.org/docs/stable/sql/functions/overview',
    'https://duckdb.org/docs/stable/sql/data_types/numeric',
  ],
  results: resultsBeside({
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
  converts: [],
  colonCast: true,
  syntax: { ...PLAIN_SYNTAX, steps: ['->', '->>'], dots: true, brackets: true, intervalsOfColumns: true },
  numbers: { division: 'float', literal: 'decimal', decimalDivision: 'float' },
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

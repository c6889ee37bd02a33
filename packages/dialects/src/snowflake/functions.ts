import { type FunctionRules, PLAIN_SYNTAX, resultsBeside } from '../function-rules.ts'
import { splitWords } from '../split-words.ts'

export const functions: FunctionRules = {
  pages: ['https://docs.snowflake.com/en/sql-reference/functions-all'],
  results: resultsBeside({
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
  withPart: splitWords(
    'date_part date_trunc dateadd datediff last_day timeadd timediff timestampadd timestampdiff',
  ),
  casts: ['cast', 'try_cast'],
  converts: [],
  colonCast: true,
  syntax: { ...PLAIN_SYNTAX, colonPaths: true, dots: true, brackets: true, matchWords: true },
  numbers: { division: 'decimal', literal: 'decimal', decimalDivision: 'decimal' },
  pathResults: { json: 'json' },
  zoneOfZoned: 'timestamp_ntz',
  dateAndInterval: 'date',
  extract: 'integer',
  numericTruth: false,
  datesAreText: false,
  dateModifiers: false,
  readsTheMachine: false,
  textAsZero: false,
}

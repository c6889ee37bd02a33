import { type FunctionRules, PLAIN_SYNTAX, resultsBeside } from '../function-rules.ts'

export const functions: FunctionRules = {
  pages: ['https://dev.mysql.com/doc/refman/8.4/en/built-in-function-reference.html'],
  results: resultsBeside({
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
  converts: [],
  colonCast: false,
  syntax: {
    ...PLAIN_SYNTAX,
    steps: ['->', '->>'],
    matchWords: true,
    intervalsOfColumns: true,
    joinsByPipes: false,
  },
  numbers: { division: 'decimal', literal: 'decimal', decimalDivision: 'decimal' },
  pathResults: { json: 'json' },
  zoneOfZoned: 'timestamp_ntz',
  dateAndInterval: 'date',
  extract: 'integer',
  numericTruth: true,
  datesAreText: false,
  dateModifiers: false,
  readsTheMachine: true,
  textAsZero: true,
}

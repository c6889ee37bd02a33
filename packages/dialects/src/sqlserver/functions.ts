import { type FunctionRules, PLAIN_SYNTAX, resultsBeside } from '../function-rules.ts'

export const functions: FunctionRules = {
  pages: ['https://learn.microsoft.com/en-us/sql/t-sql/functions/functions'],
  results: resultsBeside({
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
  syntax: PLAIN_SYNTAX,
  numbers: { division: 'integer', literal: 'decimal', decimalDivision: 'decimal' },
  pathResults: { json: 'json' },
  zoneOfZoned: 'timestamp_tz',
  dateAndInterval: 'date',
  extract: 'integer',
  numericTruth: true,
  datesAreText: false,
  dateModifiers: false,
  readsTheMachine: false,
  textAsZero: false,
}

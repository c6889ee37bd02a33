import { type FunctionRules, PLAIN_SYNTAX, resultsBeside } from '../function-rules.ts'

export const functions: FunctionRules = {
  pages: ['https://clickhouse.com/docs/sql-reference/functions'],
  results: resultsBeside({
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
  converts: [],
  colonCast: true,
  syntax: { ...PLAIN_SYNTAX, brackets: true },
  numbers: { division: 'float', literal: 'float', decimalDivision: 'decimal' },
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

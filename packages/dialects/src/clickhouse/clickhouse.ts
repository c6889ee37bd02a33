import type { Dialect } from '../dialect.ts'
import { COMMON_RESERVED } from '../reserved-words.ts'

export const clickhouse: Dialect = {
  name: 'clickhouse',
  pages: [
    'https://clickhouse.com/docs/sql-reference/syntax',
    'https://clickhouse.com/docs/sql-reference/data-types',
    'https://clickhouse.com/docs/sql-reference/functions/date-time-functions',
    'https://clickhouse.com/docs/sql-reference/statements/select/qualify',
  ],
  namespaces: ['schema'],
  nestedSchemas: false,
  identifiers: {
    quotes: ['`', '`'],
    escapes: { '\\': '\\\\', '`': '\\`' }, // as in texts
    folds: 'none',
    caseSensitive: true,
    plain: /^[A-Za-z_][A-Za-z0-9_]*$/,
    maxBytes: Infinity,
  },
  comments: {
    line: '--',
    alsoLine: ['# ', '#!', '//'],
    nested: true, // nesting, `//` and `# ` measured on 26.7
    executed: [],
    page: 'https://clickhouse.com/docs/sql-reference/syntax#comments',
  },
  textEscapes: { '\\': '\\\\', "'": "''" },
  dbtQuotes: { database: true, schema: true, identifier: true },
  reserved: new Set(COMMON_RESERVED), // keywords are not reserved, but a reader stumbles over them
  evaluated: new Set(['current_date', 'current_timestamp', 'current_user']), // columns today; readers take them for functions
  types: {
    families: {
      integer: [
        'int8',
        'int16',
        'int32',
        'int64',
        'int128',
        'int256',
        'uint8',
        'uint16',
        'uint32',
        'uint64',
        'uint128',
        'uint256',
      ],
      decimal: ['decimal', 'decimal32', 'decimal64', 'decimal128', 'decimal256'],
      float: ['float32', 'float64', 'bfloat16'],
      boolean: ['bool', 'boolean'],
      string: ['string', 'fixedstring', 'enum', 'enum8', 'enum16', 'ipv4', 'ipv6'],
      uuid: ['uuid'],
      date: ['date', 'date32'],
      time: ['time', 'time64'],
      timestamp_tz: ['datetime', 'datetime64', 'datetime32'],
      interval: [
        'intervalsecond',
        'intervalminute',
        'intervalhour',
        'intervalday',
        'intervalweek',
        'intervalmonth',
        'intervalquarter',
        'intervalyear',
      ],
      json: ['json', 'object', 'dynamic', 'variant'],
      struct: ['tuple', 'nested'],
      array: ['array'],
      map: ['map'],
      geo: ['point', 'ring', 'linestring', 'multilinestring', 'polygon', 'multipolygon'],
      other: ['aggregatefunction', 'simpleaggregatefunction', 'nothing'],
    },
    wrappers: ['nullable', 'lowcardinality'],
    anyCase: false,
    cast: {
      integer: 'Nullable(Int64)', // a cast to a type that is not Nullable fails on the first null
      decimal: 'Nullable(Decimal(38, 9))',
      float: 'Nullable(Float64)',
      boolean: 'Nullable(Bool)',
      string: 'Nullable(String)',
      date: 'Nullable(Date32)',
      timestamp_tz: "Nullable(DateTime64(6, 'UTC'))",
    },
    columnTypes: {
      string: 'Nullable(String)',
      uuid: 'Nullable(UUID)',
      time: 'Nullable(String)', // as loaders write it
      json: 'Nullable(String)',
      binary: 'Nullable(String)',
    },
    castable: ['integer', 'decimal', 'float', 'boolean', 'string', 'uuid', 'date', 'timestamp_tz'], // their own text says whether they are Nullable
  },
  enforcesKeys: false,
  idioms: {
    cast: 'cast({x} as {type})',
    epoch: {
      epoch_seconds: "toDateTime64({x}, 6, 'UTC')", // toDateTime ends at 1970 and 2106
      epoch_milliseconds: "fromUnixTimestamp64Milli(toInt64({x}), 'UTC')",
      epoch_microseconds: "fromUnixTimestamp64Micro(toInt64({x}), 'UTC')",
    },
    epochFamily: 'timestamp_tz',
    cents: 'toDecimal128({x}, 2) / 100',
    truth: { yes: 'true', no: 'false' },
    notFlagged: 'not coalesce({x}, false)',
    flagged: 'coalesce({x}, false)',
    concat: '{a} || {b}',
    textLength: 'length({x})',
    qualify: true,
    nullsLast: true,
  },
}

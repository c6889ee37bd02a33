import type { Dialect } from '../dialect.ts'
import { COMMON_RESERVED, SQLSERVER_RESERVED } from '../reserved-words.ts'

export const sqlserver: Dialect = {
  name: 'sqlserver',
  pages: [
    'https://learn.microsoft.com/en-us/sql/relational-databases/databases/database-identifiers',
    'https://learn.microsoft.com/en-us/sql/t-sql/language-elements/reserved-keywords-transact-sql',
    'https://learn.microsoft.com/en-us/sql/t-sql/data-types/data-types-transact-sql',
    'https://learn.microsoft.com/en-us/sql/t-sql/queries/at-time-zone-transact-sql',
  ],
  namespaces: ['database', 'schema'],
  nestedSchemas: false,
  identifiers: {
    quotes: ['"', '"'], // as dbt-sqlserver writes them; [name] is read too
    escapes: { '"': '""' },
    folds: 'none',
    caseSensitive: false, // by collation; the installation default is case-insensitive
    plain: /^[A-Za-z_][A-Za-z0-9_@$#]*$/,
    maxBytes: 128,
  },
  comments: {
    line: '--',
    alsoLine: [],
    nested: true,
    executed: [],
    page: 'https://learn.microsoft.com/en-us/sql/t-sql/language-elements/slash-star-comment-transact-sql',
  },
  textEscapes: { "'": "''" },
  dbtQuotes: { database: true, schema: true, identifier: true },
  reserved: new Set([...COMMON_RESERVED, ...SQLSERVER_RESERVED]),
  evaluated: new Set([
    'current_date',
    'current_timestamp',
    'current_user',
    'session_user',
    'system_user',
    'user',
  ]),
  types: {
    families: {
      integer: ['tinyint', 'smallint', 'int', 'integer', 'bigint'],
      decimal: ['decimal', 'numeric', 'dec', 'money', 'smallmoney'],
      float: ['float', 'real', 'double precision'],
      boolean: ['bit'],
      string: ['char', 'varchar', 'nchar', 'nvarchar', 'text', 'ntext', 'sysname', 'xml'],
      uuid: ['uniqueidentifier'],
      date: ['date'],
      time: ['time'],
      timestamp_ntz: ['datetime', 'datetime2', 'smalldatetime'],
      timestamp_tz: ['datetimeoffset'],
      json: ['json'],
      binary: ['binary', 'varbinary', 'image', 'rowversion', 'timestamp'],
      geo: ['geography', 'geometry'],
      other: ['hierarchyid', 'sql_variant', 'vector'],
    },
    anyCase: true,
    cast: {
      integer: 'bigint',
      decimal: 'decimal(38, 9)',
      float: 'float',
      boolean: 'bit',
      string: 'nvarchar(4000)',
      date: 'date',
      timestamp_ntz: 'datetime2(6)',
    },
    columnTypes: { binary: 'varbinary(max)' },
    sized: ['char', 'varchar', 'nchar', 'nvarchar', 'binary', 'varbinary'],
    castable: ['integer', 'decimal', 'float', 'uuid', 'time'],
    convert: { money: 'decimal(19, 4)', smallmoney: 'decimal(10, 4)' }, // money loses digits in arithmetic
  },
  enforcesKeys: true,
  idioms: {
    cast: 'cast({x} as {type})',
    toUtc: "cast({x} at time zone 'UTC' as datetime2(6))",
    epoch: {
      epoch_seconds: "dateadd(second, {x}, cast('1970-01-01' as datetime2(6)))",
      epoch_milliseconds:
        "dateadd(millisecond, {x} % 1000, dateadd(second, {x} / 1000, cast('1970-01-01' as datetime2(6))))",
      epoch_microseconds:
        "dateadd(microsecond, {x} % 1000000, dateadd(second, {x} / 1000000, cast('1970-01-01' as datetime2(6))))",
    },
    epochFamily: 'timestamp_ntz',
    cents: 'cast({x} / 100.0 as decimal(16, 2))',
    truth: { yes: '1', no: '0', wrap: 'cast({x} as bit)' },
    notFlagged: 'coalesce({x}, 0) = 0',
    flagged: 'cast(coalesce({x}, 0) as bit)',
    concat: 'concat({a}, {b})',
    textLength: 'datalength({x})',
    qualify: false,
    nullsLast: false,
  },
  grammar: 'transactsql',
}

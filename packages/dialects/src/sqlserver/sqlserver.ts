import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

export const sqlserver: Dialect<'sqlserver'> = {
  name: 'sqlserver',
  title: 'SQL Server',
  identifiers: {
    pages: ['https://learn.microsoft.com/en-us/sql/relational-databases/databases/database-identifiers'],
    namespaces: ['database', 'schema'],
    nestedSchemas: false,
    paths: { quotedWhole: false, wildcards: false, hyphens: false },
    quotes: ['"', '"'], // as in dbt-sqlserver; [name] is also read
    escapes: { '"': '""' },
    folds: 'none',
    stores: 'as written',
    caseSensitive: false, // depends on the collation; the default of an installation is case-insensitive
    plain: /^[A-Za-z_][A-Za-z0-9_@$#]*$/,
    maxBytes: 128,
  },
  lexing: {
    pages: [
      'https://learn.microsoft.com/en-us/sql/t-sql/language-elements/slash-star-comment-transact-sql',
      'https://learn.microsoft.com/en-us/sql/relational-databases/databases/database-identifiers',
    ],
    comments: {
      line: '--',
      alsoLine: [],
      nested: true,
      executed: [],
    },
    textEscapes: { "'": "''" },
    rawTexts: false,
    tripleQuotes: false,
    doubleQuoted: 'name',
    brackets: 'name',
  },
  words,
  types,
  functions,
  idioms: {
    pages: [
      'https://learn.microsoft.com/en-us/sql/t-sql/queries/at-time-zone-transact-sql',
      'https://learn.microsoft.com/en-us/sql/t-sql/functions/try-convert-transact-sql',
      'https://learn.microsoft.com/en-us/sql/t-sql/functions/cast-and-convert-transact-sql#date-and-time-styles',
    ],
    cast: 'cast({x} as {type})',
    excludesUnknown: false,
    field: undefined,
    offsets: [],
    toUtc: "cast({x} at time zone 'UTC' as datetime2(6))",
    epoch: {
      epoch_seconds: "dateadd(second, {x}, cast('1970-01-01' as datetime2(6)))",
      epoch_milliseconds:
        "dateadd(millisecond, {x} % 1000, dateadd(second, {x} / 1000, cast('1970-01-01' as datetime2(6))))",
      epoch_microseconds:
        "dateadd(microsecond, {x} % 1000000, dateadd(second, {x} / 1000000, cast('1970-01-01' as datetime2(6))))",
    },
    epochFamily: 'timestamp_ntz',
    dates: {
      date_day_first: "try_convert(date, translate({x}, '.-', '//'), 103)",
      date_month_first: "try_convert(date, translate({x}, '.-', '//'), 101)",
      date_yyyymmdd: 'try_convert(date, {x}, 112)',
    },
    isDate: { date: 'try_convert(date, {x}, 23) is not null' },
    cents: 'cast({x} / 100.0 as decimal(16, 2))',
    truth: { yes: '1', no: '0', wrap: 'cast({x} as bit)' },
    notFlagged: 'coalesce({x}, 0) = 0',
    flagged: 'cast(coalesce({x}, 0) as bit)',
    concat: 'concat({a}, {b})',
    textLength: 'datalength({x})',
    // len leaves out spaces at the end: https://learn.microsoft.com/en-us/sql/t-sql/functions/len-transact-sql
    characters: "(len({x} + '.') - 1)",
    qualify: false,
    orderBy: { newest: '{x} desc', earliest: 'case when {x} is null then 1 else 0 end, {x}' },
  },
  sampling: {
    pages: [
      'https://learn.microsoft.com/en-us/sql/t-sql/queries/from-transact-sql',
      'https://learn.microsoft.com/en-us/sql/t-sql/functions/approx-count-distinct-transact-sql',
    ],
    approximateDistinct: 'approx_count_distinct({x})',
    table: '{x} tablesample system ({percent} percent) repeatable (42)',
    row: 'rand(checksum(newid())) < {share}',
    hash: 'checksum({x})',
    hashOfBytes: 'checksum({x})',
    first: 'select top ({n}) 1 as one from {x}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/mssql-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['sqlserver', 'fabric'],
    listsFields: false,
    quotes: { database: true, schema: true, identifier: true },
    typeSpellings: [],
  },
  parsers: { nodeSqlParser: 'transactsql', polyglot: 'tsql' },
}

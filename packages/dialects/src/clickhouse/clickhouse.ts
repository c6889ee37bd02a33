import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

export const clickhouse: Dialect<'clickhouse'> = {
  name: 'clickhouse',
  title: 'ClickHouse',
  identifiers: {
    pages: ['https://clickhouse.com/docs/sql-reference/syntax'],
    namespaces: ['schema'],
    nestedSchemas: false,
    paths: { quotedWhole: false, wildcards: false, hyphens: false },
    quotes: ['`', '`'],
    escapes: { '\\': '\\\\', '`': '\\`' }, // as in strings
    folds: 'none',
    stores: 'as written',
    caseSensitive: true,
    plain: /^[A-Za-z_][A-Za-z0-9_]*$/,
    maxBytes: Infinity,
  },
  lexing: {
    pages: [
      'https://clickhouse.com/docs/sql-reference/syntax#comments',
      'https://clickhouse.com/docs/sql-reference/syntax#string',
    ],
    comments: {
      line: '--',
      alsoLine: ['# ', '#!', '//'],
      nested: true, // nesting, `//` and `# ` measured on 26.7
      executed: [],
    },
    textEscapes: { '\\': '\\\\', "'": "''" },
    rawTexts: false,
    tripleQuotes: false,
    doubleQuoted: 'name',
    brackets: 'array',
  },
  words,
  types,
  functions,
  idioms: {
    pages: [
      'https://clickhouse.com/docs/sql-reference/functions/date-time-functions',
      'https://clickhouse.com/docs/sql-reference/statements/select/qualify',
      'https://clickhouse.com/docs/sql-reference/functions/tuple-functions#tupleElement',
      'https://clickhouse.com/docs/sql-reference/functions/type-conversion-functions#parsedatetime64ornull',
    ],
    cast: 'cast({x} as {type})',
    // only `except strict` checks: https://clickhouse.com/docs/sql-reference/statements/select#except
    excludesUnknown: true,
    field: 'tupleElement({x}, {text})',
    offsets: [],
    toUtc: undefined,
    epoch: {
      epoch_seconds: "toDateTime64({x}, 6, 'UTC')", // toDateTime covers only 1970 to 2106
      epoch_milliseconds: "fromUnixTimestamp64Milli(toInt64({x}), 'UTC')",
      epoch_microseconds: "fromUnixTimestamp64Micro(toInt64({x}), 'UTC')",
    },
    epochFamily: 'timestamp_tz',
    // toDate32OrNull reads 31 February as 3 March
    dates: {
      date_day_first: "toDate32(parseDateTime64OrNull(translate({x}, '.-', '//'), '%e/%c/%Y'))",
      date_month_first: "toDate32(parseDateTime64OrNull(translate({x}, '.-', '//'), '%c/%e/%Y'))",
      date_yyyymmdd: "toDate32(parseDateTime64OrNull({x}, '%Y%m%d'))",
    },
    isDate: { date: "parseDateTime64OrNull({x}, '%Y-%m-%d') is not null" },
    cents: 'toDecimal128({x}, 2) / 100',
    truth: { yes: 'true', no: 'false', wrap: undefined },
    notFlagged: 'not coalesce({x}, false)',
    flagged: 'coalesce({x}, false)',
    concat: '{a} || {b}',
    textLength: 'length({x})',
    characters: 'lengthUTF8({x})',
    qualify: true,
    orderBy: { newest: '{x} desc nulls last', earliest: '{x}' },
  },
  sampling: {
    pages: ['https://clickhouse.com/docs/sql-reference/aggregate-functions/reference/uniq'],
    approximateDistinct: 'uniq({x})',
    table: undefined,
    row: 'rand() / 4294967296 < {share}',
    hash: 'cityHash64({x})',
    hashOfBytes: 'cityHash64({x})',
    first: 'select 1 as one from {x} limit {n}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/clickhouse-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['clickhouse'],
    listsFields: false,
    quotes: { database: true, schema: true, identifier: true },
    typeSpellings: [],
  },
  parsers: { nodeSqlParser: undefined, polyglot: 'clickhouse' },
}

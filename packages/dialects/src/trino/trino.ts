import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

export const trino: Dialect<'trino'> = {
  name: 'trino',
  title: 'Trino',
  identifiers: {
    pages: ['https://trino.io/docs/current/sql/select.html'],
    namespaces: ['database', 'schema'],
    nestedSchemas: false,
    paths: { quotedWhole: false, wildcards: false, hyphens: false },
    quotes: ['"', '"'],
    escapes: { '"': '""' },
    folds: 'none', // names match in any case, so folding never needs quotes
    stores: 'lower',
    caseSensitive: false,
    plain: /^[A-Za-z_][A-Za-z0-9_]*$/,
    maxBytes: Infinity, // the connector decides
  },
  lexing: {
    pages: ['https://trino.io/docs/current/language/comments.html'],
    comments: {
      line: '--',
      alsoLine: [],
      nested: false,
      executed: [],
    },
    textEscapes: { "'": "''" },
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
      'https://trino.io/docs/current/functions/datetime.html',
      'https://trino.io/docs/current/language/types.html#row',
      'https://trino.io/docs/current/functions/conditional.html#try',
    ],
    cast: 'cast({x} as {type})',
    excludesUnknown: false,
    field: '{x}.{name}',
    offsets: [],
    toUtc: "cast({x} at time zone 'UTC' as timestamp(6))",
    epoch: {
      epoch_seconds: "cast(from_unixtime({x}) at time zone 'UTC' as timestamp(6))",
      epoch_milliseconds: "cast(from_unixtime({x} / 1000e0) at time zone 'UTC' as timestamp(6))",
      // from_unixtime returns milliseconds.
      epoch_microseconds: "cast(from_unixtime_nanos({x} * 1000) at time zone 'UTC' as timestamp(6))",
    },
    epochFamily: 'timestamp_ntz',
    dates: {
      date_day_first: "cast(try(date_parse(translate({x}, '.-', '//'), '%d/%m/%Y')) as date)",
      date_month_first: "cast(try(date_parse(translate({x}, '.-', '//'), '%m/%d/%Y')) as date)",
      date_yyyymmdd: "cast(try(date_parse({x}, '%Y%m%d')) as date)",
    },
    isDate: { date: 'try_cast({x} as date) is not null' },
    cents: 'cast({x} as decimal(18, 2)) / 100',
    truth: { yes: 'true', no: 'false', wrap: undefined },
    notFlagged: 'not coalesce({x}, false)',
    flagged: 'coalesce({x}, false)',
    concat: '{a} || {b}',
    textLength: 'length({x})',
    qualify: false,
    orderBy: { newest: '{x} desc nulls last', earliest: '{x}' },
  },
  sampling: {
    pages: [
      'https://trino.io/docs/current/sql/select.html',
      'https://trino.io/docs/current/functions/aggregate.html',
    ],
    approximateDistinct: 'approx_distinct({x})',
    table: '{x} tablesample system ({percent})',
    row: 'random() < {share}',
    hash: 'from_big_endian_64(xxhash64(to_utf8({x})))',
    hashOfBytes: 'from_big_endian_64(xxhash64({x}))',
    first: 'select 1 as one from {x} limit {n}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/trino-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['trino'],
    listsFields: false,
    quotes: { database: true, schema: true, identifier: true },
    typeSpellings: [],
  },
  parsers: { nodeSqlParser: 'trino', polyglot: 'trino' },
}

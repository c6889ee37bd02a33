import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

/** Athena engine version 3: Trino for queries, Hive spelling in the Glue catalog. */
export const athena: Dialect<'athena'> = {
  name: 'athena',
  title: 'Athena',
  identifiers: {
    pages: ['https://docs.aws.amazon.com/athena/latest/ug/tables-databases-columns-names.html'],
    namespaces: ['database', 'schema'],
    nestedSchemas: false,
    paths: { quotedWhole: false, wildcards: false, hyphens: false },
    quotes: ['"', '"'],
    escapes: { '"': '""' },
    folds: 'none',
    stores: 'lower',
    caseSensitive: false,
    plain: /^[A-Za-z_][A-Za-z0-9_]*$/,
    maxBytes: 255,
  },
  lexing: {
    pages: ['https://docs.aws.amazon.com/athena/latest/ug/ddl-sql-reference.html'],
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
      'https://docs.aws.amazon.com/athena/latest/ug/engine-versions-reference-0003.html',
      'https://docs.aws.amazon.com/athena/latest/ug/filtering-with-dot.html',
      'https://trino.io/docs/current/functions/datetime.html#mysql-date-functions',
      'https://trino.io/docs/current/functions/conditional.html#try',
    ],
    cast: 'cast({x} as {type})',
    excludesUnknown: false,
    field: '{x}.{name}',
    offsets: [],
    toUtc: "cast({x} at time zone 'UTC' as timestamp(3))",
    epoch: {
      epoch_seconds: "cast(from_unixtime({x}) at time zone 'UTC' as timestamp(3))",
      epoch_milliseconds: "cast(from_unixtime({x} / 1000e0) at time zone 'UTC' as timestamp(3))",
      epoch_microseconds: "cast(from_unixtime({x} / 1000000e0) at time zone 'UTC' as timestamp(3))",
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
    pages: ['https://docs.aws.amazon.com/athena/latest/ug/select.html'],
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
      'https://docs.getdbt.com/docs/core/connect-data-platform/athena-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['athena'],
    listsFields: false,
    quotes: { database: true, schema: true, identifier: true },
    typeSpellings: [],
  },
  parsers: { nodeSqlParser: 'athena', polyglot: 'athena' },
}

import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

export const duckdb: Dialect<'duckdb'> = {
  name: 'duckdb',
  title: 'DuckDB',
  identifiers: {
    pages: ['https://duckdb.org/docs/stable/sql/dialect/keywords_and_identifiers'],
    namespaces: ['database', 'schema'],
    nestedSchemas: false,
    paths: { quotedWhole: false, wildcards: false, hyphens: false },
    quotes: ['"', '"'],
    escapes: { '"': '""' },
    folds: 'none',
    stores: 'as written',
    caseSensitive: false, // even quoted names match in any case
    plain: /^[A-Za-z_][A-Za-z0-9_]*$/,
    maxBytes: Infinity,
  },
  lexing: {
    pages: ['https://duckdb.org/docs/stable/sql/query_syntax/select'],
    comments: {
      line: '--',
      alsoLine: [],
      nested: true, // nesting measured on 1.5
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
      'https://duckdb.org/docs/stable/sql/query_syntax/qualify',
      'https://duckdb.org/docs/stable/sql/functions/timestamp',
      'https://duckdb.org/docs/stable/sql/data_types/struct',
      'https://duckdb.org/docs/stable/sql/functions/dateformat',
    ],
    cast: 'cast({x} as {type})',
    // DuckDB 1.5.6 says: Column "x" in EXCLUDE list not found in FROM clause
    excludesUnknown: false,
    field: '{x}.{name}',
    toUtc: "{x} at time zone 'UTC'",
    // Versions before 2.0 convert the offset in a cast, later ones drop it. No version accepts a space before
    // it.
    offsets: [
      {
        when: "regexp_matches({x}, ':[0-9]{2}([.][0-9]+)? ?[+-][0-9]{2}(:?[0-9]{2})?$')",
        utc: "cast(replace(replace({x}, ' +', '+'), ' -', '-') as timestamptz) at time zone 'UTC'",
      },
    ],
    epoch: {
      epoch_seconds: "to_timestamp({x}) at time zone 'UTC'",
      epoch_milliseconds: 'make_timestamp_ms({x})',
      epoch_microseconds: 'make_timestamp({x})',
    },
    epochFamily: 'timestamp_ntz',
    dates: {
      date_day_first: "cast(try_strptime({x}, ['%d/%m/%Y', '%d.%m.%Y', '%d-%m-%Y']) as date)",
      date_month_first: "cast(try_strptime({x}, ['%m/%d/%Y', '%m.%d.%Y', '%m-%d-%Y']) as date)",
      date_yyyymmdd: "cast(try_strptime({x}, '%Y%m%d') as date)",
    },
    isDate: { date: 'try_cast({x} as date) is not null' },
    cents: 'cast({x} / 100.0 as numeric(16, 2))',
    truth: { yes: 'true', no: 'false', wrap: undefined },
    notFlagged: 'not coalesce({x}, false)',
    flagged: 'coalesce({x}, false)',
    concat: '{a} || {b}',
    textLength: 'length({x})',
    qualify: true,
    orderBy: { newest: '{x} desc nulls last', earliest: '{x}' },
  },
  sampling: {
    pages: [
      'https://duckdb.org/docs/stable/sql/query_syntax/sample',
      'https://duckdb.org/docs/stable/sql/functions/aggregates',
    ],
    approximateDistinct: 'approx_count_distinct({x})',
    table: '{x} tablesample system ({percent}%) repeatable (42)',
    row: 'random() < {share}',
    hash: 'hash({x})',
    hashOfBytes: 'hash({x})',
    first: 'select 1 as one from {x} limit {n}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/duckdb-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['duckdb'],
    listsFields: false,
    quotes: { database: true, schema: true, identifier: true },
    typeSpellings: [[/^varchar$/, 'character varying(256)']], // measured on dbt-duckdb 1.11.1
  },
  parsers: { nodeSqlParser: 'postgresql', polyglot: 'duckdb' },
}

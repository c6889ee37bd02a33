import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

export const postgres: Dialect<'postgres'> = {
  name: 'postgres',
  title: 'PostgreSQL',
  identifiers: {
    pages: ['https://www.postgresql.org/docs/current/sql-syntax-lexical.html'],
    namespaces: ['database', 'schema'],
    nestedSchemas: false,
    paths: { quotedWhole: false, wildcards: false, hyphens: false },
    quotes: ['"', '"'],
    escapes: { '"': '""' },
    folds: 'lower',
    stores: 'lower',
    caseSensitive: true,
    plain: /^[A-Za-z_][A-Za-z0-9_$]*$/,
    maxBytes: 63,
  },
  lexing: {
    pages: ['https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-COMMENTS'],
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
    brackets: 'array',
  },
  words,
  types,
  functions,
  idioms: {
    pages: ['https://www.postgresql.org/docs/current/functions-datetime.html'],
    cast: 'cast({x} as {type})',
    toUtc: "{x} at time zone 'UTC'",
    offsets: [
      {
        when: "{x} ~ ':[0-9]{2}([.][0-9]+)? ?[+-][0-9]{2}(:?[0-9]{2})?$'",
        utc: "cast({x} as timestamptz) at time zone 'UTC'",
      },
    ],
    epoch: {
      epoch_seconds: "to_timestamp({x}) at time zone 'UTC'",
      epoch_milliseconds: "to_timestamp({x} / 1000.0) at time zone 'UTC'",
      epoch_microseconds: "to_timestamp({x} / 1000000.0) at time zone 'UTC'",
    },
    epochFamily: 'timestamp_ntz',
    cents: 'cast({x} / 100.0 as numeric(16, 2))',
    truth: { yes: 'true', no: 'false', wrap: undefined },
    notFlagged: 'not coalesce({x}, false)',
    flagged: 'coalesce({x}, false)',
    concat: '{a} || {b}',
    textLength: 'length({x})',
    qualify: false,
    orderBy: { newest: '{x} desc nulls last', earliest: '{x}' },
  },
  sampling: {
    pages: ['https://www.postgresql.org/docs/current/sql-select.html'],
    approximateDistinct: undefined,
    table: '{x} tablesample system ({percent}) repeatable (42)',
    row: 'random() < {share}',
    hash: 'hashtext({x})',
    first: 'select 1 as one from {x} limit {n}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/postgres-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['postgres'],
    quotes: { database: true, schema: true, identifier: true },
    typeSpellings: [
      [/^character\((\d+)\)$/, 'character varying($1)'],
      [/^.*\[\]$/, 'array'],
    ], // measured on dbt-postgres 1.11.0
  },
  parsers: { nodeSqlParser: 'postgresql', polyglot: 'postgresql' },
}

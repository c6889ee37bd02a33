import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

export const redshift: Dialect<'redshift'> = {
  name: 'redshift',
  title: 'Redshift',
  identifiers: {
    pages: ['https://docs.aws.amazon.com/redshift/latest/dg/r_names.html'],
    namespaces: ['database', 'schema'],
    nestedSchemas: false,
    paths: { quotedWhole: false, wildcards: false, hyphens: false },
    quotes: ['"', '"'],
    escapes: { '"': '""' },
    folds: 'lower',
    stores: 'lower',
    caseSensitive: false, // quoted names are lower-cased too, unless enable_case_sensitive_identifier is on
    plain: /^[A-Za-z_][A-Za-z0-9_$]*$/,
    maxBytes: 127,
  },
  lexing: {
    pages: ['https://www.postgresql.org/docs/8.0/sql-syntax.html'],
    comments: {
      line: '--',
      alsoLine: [],
      nested: true,
      executed: [],
    },
    textEscapes: { '\\': '\\\\', "'": "''" }, // as in PostgreSQL 8.0, its origin
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
      'https://docs.aws.amazon.com/redshift/latest/dg/r_QUALIFY_clause.html',
      'https://docs.aws.amazon.com/redshift/latest/dg/r_TRY_CAST.html',
      'https://docs.aws.amazon.com/redshift/latest/dg/SPLIT_PART.html',
    ],
    cast: 'cast({x} as {type})',
    // no page says that it ignores unknown columns
    excludesUnknown: false,
    field: undefined,
    offsets: [],
    toUtc: "{x} at time zone 'utc'",
    epoch: {
      epoch_seconds: "timestamp 'epoch' + {x} * interval '1 second'",
      epoch_milliseconds: "timestamp 'epoch' + ({x} / 1000.0) * interval '1 second'",
      epoch_microseconds: "timestamp 'epoch' + ({x} / 1000000.0) * interval '1 second'",
    },
    epochFamily: 'timestamp_ntz',
    // to_date reads 31 February as 3 March.
    dates: {
      date_day_first:
        "try_cast(split_part(translate({x}, '.-', '//'), '/', 3) || '-' || split_part(translate({x}, '.-', '//'), '/', 2) || '-' || split_part(translate({x}, '.-', '//'), '/', 1) as date)",
      date_month_first:
        "try_cast(split_part(translate({x}, '.-', '//'), '/', 3) || '-' || split_part(translate({x}, '.-', '//'), '/', 1) || '-' || split_part(translate({x}, '.-', '//'), '/', 2) as date)",
      date_yyyymmdd:
        "try_cast(left({x}, 4) || '-' || substring({x}, 5, 2) || '-' || substring({x}, 7) as date)",
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
    pages: ['https://docs.aws.amazon.com/redshift/latest/dg/r_COUNT.html'],
    approximateDistinct: 'approximate count(distinct {x})',
    table: undefined,
    row: 'random() < {share}',
    hash: 'fnv_hash({x})',
    hashOfBytes: 'fnv_hash({x})',
    first: 'select 1 as one from {x} limit {n}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/redshift-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['redshift'],
    listsFields: false,
    quotes: { database: true, schema: true, identifier: true },
    typeSpellings: [],
  },
  parsers: { nodeSqlParser: 'redshift', polyglot: 'redshift' },
}

import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

export const bigquery: Dialect<'bigquery'> = {
  name: 'bigquery',
  title: 'BigQuery',
  identifiers: {
    pages: [
      'https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical',
      'https://cloud.google.com/bigquery/docs/schemas#column_names',
    ],
    namespaces: ['database', 'schema'],
    nestedSchemas: true, // project.catalog.namespace.table of an Iceberg REST catalog
    paths: { quotedWhole: true, wildcards: true, hyphens: true },
    quotes: ['`', '`'],
    escapes: { '\\': '\\\\', '`': '\\`' },
    folds: 'none',
    stores: 'as written',
    caseSensitive: false,
    plain: /^[A-Za-z_][A-Za-z0-9_]*$/,
    maxBytes: 300,
  },
  lexing: {
    pages: [
      'https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#comments',
      'https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#string_and_bytes_literals',
    ],
    comments: {
      line: '--',
      alsoLine: ['#'],
      nested: false,
      executed: [],
    },
    textEscapes: { '\\': '\\\\', "'": "\\'" },
    rawTexts: true,
    tripleQuotes: true,
    doubleQuoted: 'text',
    brackets: 'array',
  },
  words,
  types,
  functions,
  idioms: {
    pages: [
      'https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions',
      'https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#field_access_operator',
      'https://cloud.google.com/bigquery/docs/reference/standard-sql/date_functions#parse_date',
      'https://cloud.google.com/bigquery/docs/reference/standard-sql/functions-reference#safe_prefix',
    ],
    cast: 'cast({x} as {type})',
    // "Column x in SELECT * EXCEPT list does not exist": https://github.com/google/googlesql
    excludesUnknown: false,
    field: '{x}.{name}',
    offsets: [],
    toUtc: undefined,
    epoch: {
      epoch_seconds: 'timestamp_seconds({x})',
      epoch_milliseconds: 'timestamp_millis({x})',
      epoch_microseconds: 'timestamp_micros({x})',
    },
    epochFamily: 'timestamp_tz',
    dates: {
      date_day_first: "safe.parse_date('%d/%m/%Y', translate({x}, '.-', '//'))",
      date_month_first: "safe.parse_date('%m/%d/%Y', translate({x}, '.-', '//'))",
      date_yyyymmdd: "safe.parse_date('%Y%m%d', {x})",
    },
    isDate: { date: 'safe_cast({x} as date) is not null' },
    cents: 'round(cast({x} as numeric) / 100, 2)',
    truth: { yes: 'true', no: 'false', wrap: undefined },
    notFlagged: 'not coalesce({x}, false)',
    flagged: 'coalesce({x}, false)',
    concat: '{a} || {b}',
    textLength: 'length({x})',
    qualify: true,
    orderBy: { newest: '{x} desc nulls last', earliest: '{x} nulls last' },
  },
  sampling: {
    pages: [
      'https://cloud.google.com/bigquery/docs/table-sampling',
      'https://cloud.google.com/bigquery/docs/reference/standard-sql/approximate_aggregate_functions',
    ],
    approximateDistinct: 'approx_count_distinct({x})',
    table: '{x} tablesample system ({percent} percent)',
    row: 'rand() < {share}',
    hash: 'farm_fingerprint({x})',
    hashOfBytes: 'farm_fingerprint({x})',
    first: 'select 1 as one from {x} limit {n}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/bigquery-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['bigquery'],
    listsFields: true,
    quotes: { database: true, schema: true, identifier: true },
    typeSpellings: [],
  },
  parsers: { nodeSqlParser: 'bigquery', polyglot: 'bigquery' },
}

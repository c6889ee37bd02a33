import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

export const databricks: Dialect<'databricks'> = {
  name: 'databricks',
  title: 'Databricks',
  identifiers: {
    pages: [
      'https://docs.databricks.com/en/sql/language-manual/sql-ref-identifiers.html',
      'https://docs.databricks.com/en/sql/language-manual/sql-ref-names.html',
    ],
    namespaces: ['database', 'schema'],
    nestedSchemas: true, // foreign Iceberg catalogs have nested namespaces
    paths: { quotedWhole: false, wildcards: false, hyphens: false },
    quotes: ['`', '`'],
    escapes: { '`': '``' },
    folds: 'none',
    stores: 'as written',
    caseSensitive: false,
    plain: /^[A-Za-z_][A-Za-z0-9_]*$/,
    maxBytes: 255,
  },
  lexing: {
    pages: [
      'https://docs.databricks.com/en/sql/language-manual/sql-ref-syntax-comment.html',
      'https://docs.databricks.com/en/sql/language-manual/data-types/string-type.html',
    ],
    comments: {
      line: '--',
      alsoLine: [],
      nested: true,
      executed: [],
    },
    textEscapes: { '\\': '\\\\', "'": "\\'" },
    rawTexts: true,
    tripleQuotes: false,
    doubleQuoted: 'text',
    brackets: 'array',
  },
  words,
  types,
  functions,
  idioms: {
    pages: [
      'https://docs.databricks.com/en/sql/language-manual/sql-ref-functions-builtin.html',
      'https://docs.databricks.com/aws/en/sql/language-manual/functions/dotsign',
      'https://docs.databricks.com/aws/en/sql/language-manual/functions/try_to_timestamp',
      'https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-datetime-pattern',
    ],
    cast: 'cast({x} as {type})',
    // each name must be a column: https://docs.databricks.com/sql/language-manual/sql-ref-syntax-qry-star.html
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
      date_day_first: "cast(try_to_timestamp(translate({x}, '.-', '//'), 'd/M/yyyy') as date)",
      date_month_first: "cast(try_to_timestamp(translate({x}, '.-', '//'), 'M/d/yyyy') as date)",
      date_yyyymmdd: "cast(try_to_timestamp({x}, 'yyyyMMdd') as date)",
    },
    isDate: { date: 'try_cast({x} as date) is not null' },
    cents: 'cast({x} / 100.0 as numeric(16, 2))',
    truth: { yes: 'true', no: 'false', wrap: undefined },
    notFlagged: 'not coalesce({x}, false)',
    flagged: 'coalesce({x}, false)',
    concat: '{a} || {b}',
    textLength: 'length({x})',
    qualify: true,
    orderBy: { newest: '{x} desc nulls last', earliest: '{x} nulls last' },
  },
  sampling: {
    pages: ['https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-syntax-qry-select-sampling'],
    approximateDistinct: 'approx_count_distinct({x})',
    table: '{x} tablesample ({percent} percent)',
    row: 'rand() < {share}',
    hash: 'xxhash64({x})',
    hashOfBytes: 'xxhash64({x})',
    first: 'select 1 as one from {x} limit {n}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/databricks-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['databricks', 'spark'],
    listsFields: false,
    quotes: { database: true, schema: true, identifier: true },
    typeSpellings: [],
  },
  parsers: { nodeSqlParser: undefined, polyglot: 'databricks' },
}

import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

export const snowflake: Dialect<'snowflake'> = {
  name: 'snowflake',
  title: 'Snowflake',
  identifiers: {
    pages: ['https://docs.snowflake.com/en/sql-reference/identifiers-syntax'],
    namespaces: ['database', 'schema'],
    nestedSchemas: false,
    paths: { quotedWhole: false, wildcards: false, hyphens: false },
    quotes: ['"', '"'],
    escapes: { '"': '""' },
    folds: 'upper',
    stores: 'upper',
    caseSensitive: true,
    plain: /^[A-Za-z_][A-Za-z0-9_$]*$/,
    maxBytes: 255,
  },
  lexing: {
    pages: [
      'https://docs.snowflake.com/en/sql-reference/sql/comment',
      'https://docs.snowflake.com/en/sql-reference/data-types-text',
    ],
    comments: {
      line: '--',
      alsoLine: ['//'],
      nested: false,
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
    pages: ['https://docs.snowflake.com/en/sql-reference/functions/convert_timezone'],
    cast: 'cast({x} as {type})',
    toUtc: "cast(convert_timezone('UTC', {x}) as timestamp_ntz)",
    epoch: {
      epoch_seconds: 'to_timestamp_ntz({x})',
      epoch_milliseconds: 'to_timestamp_ntz({x}, 3)',
      epoch_microseconds: 'to_timestamp_ntz({x}, 6)',
    },
    epochFamily: 'timestamp_ntz',
    cents: 'cast({x} / 100.0 as numeric(16, 2))',
    truth: { yes: 'true', no: 'false', wrap: undefined },
    notFlagged: 'not coalesce({x}, false)',
    flagged: 'coalesce({x}, false)',
    concat: '{a} || {b}',
    textLength: 'length({x})',
    qualify: true,
    orderBy: { newest: '{x} desc nulls last', earliest: '{x}' },
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/snowflake-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['snowflake'],
    quotes: { database: false, schema: false, identifier: false },
    typeSpellings: [],
  },
  parsers: { nodeSqlParser: 'snowflake', polyglot: 'snowflake' },
}

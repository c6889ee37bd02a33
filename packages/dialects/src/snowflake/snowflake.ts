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
    pages: [
      'https://docs.snowflake.com/en/sql-reference/functions/convert_timezone',
      'https://docs.snowflake.com/en/sql-reference/data-types-structured',
      'https://docs.snowflake.com/en/sql-reference/functions/try_to_date',
      'https://docs.snowflake.com/en/sql-reference/functions/translate',
    ],
    cast: 'cast({x} as {type})',
    // no page says that it ignores unknown columns
    excludesUnknown: false,
    field: 'cast({x}:{quoted} as {type})',
    toUtc: "cast(convert_timezone('UTC', {x}) as timestamp_ntz)",
    // regexp_like matches the whole text.
    offsets: [
      {
        when: "regexp_like({x}, '.*:[0-9]{2}([.][0-9]+)? ?[+-][0-9]{2}(:?[0-9]{2})?')",
        utc: "cast(convert_timezone('UTC', cast(replace(replace({x}, ' +', '+'), ' -', '-') as timestamp_tz)) as timestamp_ntz)",
      },
    ],
    epoch: {
      epoch_seconds: 'to_timestamp_ntz({x})',
      epoch_milliseconds: 'to_timestamp_ntz({x}, 3)',
      epoch_microseconds: 'to_timestamp_ntz({x}, 6)',
    },
    epochFamily: 'timestamp_ntz',
    dates: {
      date_day_first: "try_to_date(translate({x}, '.-', '//'), 'DD/MM/YYYY')",
      date_month_first: "try_to_date(translate({x}, '.-', '//'), 'MM/DD/YYYY')",
      date_yyyymmdd: "try_to_date({x}, 'YYYYMMDD')",
    },
    isDate: { date: "try_to_date({x}, 'YYYY-MM-DD') is not null" },
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
      'https://docs.snowflake.com/en/sql-reference/constructs/sample',
      'https://docs.snowflake.com/en/sql-reference/functions/approx_count_distinct',
    ],
    approximateDistinct: 'approx_count_distinct({x})',
    table: '{x} sample system ({percent})',
    row: 'uniform(0::float, 1::float, random()) < {share}',
    hash: 'hash({x})',
    hashOfBytes: 'hash({x})',
    first: 'select 1 as one from {x} limit {n}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/snowflake-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['snowflake'],
    listsFields: false,
    quotes: { database: false, schema: false, identifier: false },
    typeSpellings: [],
  },
  parsers: { nodeSqlParser: 'snowflake', polyglot: 'snowflake' },
}

import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

const [YEAR, LEAP_YEAR] = ['(19|20)[0-9]{2}', '((19|20)(0[48]|[2468][048]|[13579][26])|2000)']

/** Prints a condition for existing dates. `order` joins day, month and year. */
function printIsDate(zero: '0' | '0?', order: (day: string, month: string, year: string) => string): string {
  const days = [
    order(`(${zero}[1-9]|1[0-9]|2[0-8])`, `(${zero}[1-9]|1[0-2])`, YEAR),
    order('(29|30)', `(${zero}[13-9]|1[0-2])`, YEAR),
    order('31', `(${zero}[13578]|1[02])`, YEAR),
    order('29', `${zero}2`, LEAP_YEAR),
  ]
  return `{x} ~ '^(${days.join('|')})$'`
}

const isDate = {
  date: printIsDate('0', (day, month, year) => `${year}-${month}-${day}`),
  date_day_first: printIsDate('0?', (...parts) => parts.join('[/.-]')),
  date_month_first: printIsDate('0?', (day, month, year) => [month, day, year].join('[/.-]')),
  date_yyyymmdd: printIsDate('0', (day, month, year) => `${year}${month}${day}`),
}

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
    pages: [
      'https://www.postgresql.org/docs/current/functions-datetime.html',
      'https://www.postgresql.org/docs/current/functions-formatting.html',
    ],
    cast: 'cast({x} as {type})',
    excludesUnknown: false,
    field: undefined,
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
    // The function accepts all three separators. An empty text would become a date BC.
    dates: {
      date_day_first: "to_date(nullif({x}, ''), 'DD/MM/YYYY')",
      date_month_first: "to_date(nullif({x}, ''), 'MM/DD/YYYY')",
      date_yyyymmdd: "to_date(nullif({x}, ''), 'YYYYMMDD')",
    },
    isDate,
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
    hashOfBytes: "hashtext(encode({x}, 'hex'))",
    first: 'select 1 as one from {x} limit {n}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/postgres-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['postgres'],
    listsFields: false,
    quotes: { database: true, schema: true, identifier: true },
    typeSpellings: [
      [/^character\((\d+)\)$/, 'character varying($1)'],
      [/^.*\[\]$/, 'array'],
    ], // measured on dbt-postgres 1.11.0
  },
  parsers: { nodeSqlParser: 'postgresql', polyglot: 'postgresql' },
}

import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

/** The number before the first separator, and the number after it. */
const [first, second] = ['cast({x} as integer)', "cast(substr(ltrim({x}, '0123456789'), 2) as integer)"]

/** Prints a text such as 2026-01-31 if the date exists. date() alone reads 31 February as 3 March. */
function printDate(text: string): string {
  return `case date(${text}) when ${text} then ${text} end`
}

const dates = {
  date_day_first: printDate(`printf('%s-%02d-%02d', substr({x}, -4), ${second}, ${first})`),
  date_month_first: printDate(`printf('%s-%02d-%02d', substr({x}, -4), ${first}, ${second})`),
  date_yyyymmdd: printDate("substr({x}, 1, 4) || '-' || substr({x}, 5, 2) || '-' || substr({x}, 7)"),
}

export const sqlite: Dialect<'sqlite'> = {
  name: 'sqlite',
  title: 'SQLite',
  identifiers: {
    pages: ['https://www.sqlite.org/lang_keywords.html'],
    namespaces: ['schema'],
    nestedSchemas: false,
    paths: { quotedWhole: false, wildcards: false, hyphens: false },
    quotes: ['"', '"'],
    escapes: { '"': '""' },
    folds: 'none',
    stores: 'as written',
    caseSensitive: false,
    plain: /^[A-Za-z_][A-Za-z0-9_$]*$/,
    maxBytes: Infinity,
  },
  lexing: {
    pages: ['https://www.sqlite.org/lang_comment.html', 'https://www.sqlite.org/lang_keywords.html'],
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
    brackets: 'name',
  },
  words,
  types,
  functions,
  idioms: {
    pages: [
      'https://www.sqlite.org/lang_datefunc.html',
      'https://www.sqlite.org/windowfunctions.html',
      'https://www.sqlite.org/lang_corefunc.html',
    ],
    cast: 'cast({x} as {type})',
    excludesUnknown: false,
    field: undefined,
    offsets: [],
    toUtc: undefined,
    epoch: {
      epoch_seconds: "datetime({x}, 'unixepoch')",
      epoch_milliseconds: "datetime({x} / 1000.0, 'unixepoch', 'subsec')",
      // 'subsec' keeps three digits; a plain remainder and division would be wrong before 1970.
      epoch_microseconds:
        "datetime(({x} - ({x} % 1000000 + 1000000) % 1000000) / 1000000, 'unixepoch') || printf('.%06d', ({x} % 1000000 + 1000000) % 1000000)",
    },
    epochFamily: 'timestamp_ntz',
    dates,
    isDate: { date: 'date({x}) = {x}' },
    cents: 'round({x} / 100.0, 2)',
    truth: { yes: '1', no: '0', wrap: undefined },
    notFlagged: 'coalesce({x}, 0) = 0',
    flagged: 'coalesce({x}, 0)',
    concat: '{a} || {b}',
    textLength: 'length({x})',
    qualify: false,
    orderBy: { newest: '{x} desc nulls last', earliest: '{x} nulls last' },
  },
  sampling: {
    pages: ['https://www.sqlite.org/lang_corefunc.html'],
    approximateDistinct: undefined,
    table: undefined,
    row: 'abs(random() / 9223372036854775808.0) < {share}',
    hash: '(coalesce(unicode(substr({x}, -1)), 0) + 31 * coalesce(unicode(substr({x}, -2)), 0) + 961 * length({x}))',
    hashOfBytes:
      '(coalesce(unicode(substr(hex({x}), -1)), 0) + 31 * coalesce(unicode(substr(hex({x}), -2)), 0) + 961 * length(hex({x})))',
    first: 'select 1 as one from {x} limit {n}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/sqlite-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['sqlite'],
    listsFields: false,
    quotes: { database: true, schema: true, identifier: true },
    typeSpellings: [],
  },
  parsers: { nodeSqlParser: 'sqlite', polyglot: 'sqlite' },
}

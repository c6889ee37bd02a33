import type { Dialect } from '../dialect.ts'
import { ddl } from './ddl.ts'
import { functions } from './functions.ts'
import { types } from './types.ts'
import { words } from './words.ts'

const parted = "replace(replace(nullif({x}, ''), '.', '/'), '-', '/')"
const dates = {
  date_day_first: `str_to_date(${parted}, '%d/%m/%Y')`,
  date_month_first: `str_to_date(${parted}, '%m/%d/%Y')`,
  date_yyyymmdd: "str_to_date(nullif({x}, ''), '%Y%m%d')",
}

/** MySQL 8 and MariaDB 10.6 and newer. */
export const mysql: Dialect<'mysql'> = {
  name: 'mysql',
  title: 'MySQL',
  identifiers: {
    pages: ['https://dev.mysql.com/doc/refman/8.4/en/identifiers.html'],
    namespaces: ['schema'],
    nestedSchemas: false,
    paths: { quotedWhole: false, wildcards: false, hyphens: false },
    quotes: ['`', '`'],
    escapes: { '`': '``' },
    folds: 'none',
    stores: 'as written',
    caseSensitive: false,
    plain: /^[A-Za-z_][A-Za-z0-9_$]*$/,
    maxBytes: 64, // 64 characters; generated names are ASCII
  },
  lexing: {
    pages: [
      'https://dev.mysql.com/doc/refman/8.4/en/comments.html',
      'https://dev.mysql.com/doc/refman/8.4/en/string-literals.html',
    ],
    comments: {
      line: '-- ',
      alsoLine: ['#'],
      nested: false,
      executed: ['/*!', '/*M!'],
    },
    textEscapes: { '\\': '\\\\', "'": "''" },
    rawTexts: false,
    tripleQuotes: false,
    doubleQuoted: 'text',
    brackets: 'array',
  },
  words,
  types,
  functions,
  idioms: {
    pages: [
      'https://dev.mysql.com/doc/refman/8.4/en/cast-functions.html',
      'https://dev.mysql.com/doc/refman/8.4/en/date-and-time-functions.html',
    ],
    cast: 'cast({x} as {type})',
    excludesUnknown: false,
    field: undefined,
    toUtc: "convert_tz({x}, @@session.time_zone, '+00:00')",
    // MariaDB drops the text after the time with a warning, which is an error when rows are written.
    offsets: [
      { when: "right({x}, 1) = 'Z'", utc: 'cast(left({x}, char_length({x}) - 1) as datetime(6))' },
      {
        when: "{x} regexp ':[0-9]{2}([.][0-9]+)? ?[+-][0-9]{2}:[0-9]{2}$'",
        utc: "convert_tz(cast(left({x}, char_length({x}) - 6) as datetime(6)), right({x}, 6), '+00:00')",
      },
      {
        when: "{x} regexp ':[0-9]{2}([.][0-9]+)? ?[+-][0-9]{4}$'",
        utc: "convert_tz(cast(left({x}, char_length({x}) - 5) as datetime(6)), insert(right({x}, 5), 4, 0, ':'), '+00:00')",
      },
    ],
    epoch: {
      epoch_seconds: "timestampadd(second, {x}, '1970-01-01')",
      epoch_milliseconds: "timestampadd(microsecond, {x} * 1000, '1970-01-01')",
      epoch_microseconds: "timestampadd(microsecond, {x}, '1970-01-01')",
    },
    epochFamily: 'timestamp_ntz',
    dates,
    // These functions return 31 February, although no table accepts it. Adding to it gives null.
    isDate: {
      date: 'cast({x} as date) + interval 0 day is not null',
      date_day_first: `${dates.date_day_first} + interval 0 day is not null`,
      date_month_first: `${dates.date_month_first} + interval 0 day is not null`,
      date_yyyymmdd: `${dates.date_yyyymmdd} + interval 0 day is not null`,
    },
    cents: 'cast({x} / 100.0 as decimal(16, 2))',
    truth: { yes: 'true', no: 'false', wrap: undefined },
    notFlagged: 'coalesce({x}, 0) = 0',
    flagged: 'coalesce({x}, 0)',
    concat: 'concat({a}, {b})',
    textLength: 'char_length({x})',
    qualify: false,
    orderBy: { newest: '{x} desc', earliest: '{x} is null, {x}' },
  },
  sampling: {
    pages: ['https://dev.mysql.com/doc/refman/8.4/en/mathematical-functions.html'],
    approximateDistinct: undefined,
    table: undefined,
    row: 'rand() < {share}',
    hash: 'crc32({x})',
    hashOfBytes: 'crc32({x})',
    first: 'select 1 as one from {x} limit {n}',
  },
  ddl,
  dbt: {
    pages: [
      'https://docs.getdbt.com/docs/core/connect-data-platform/mysql-setup',
      'https://docs.getdbt.com/reference/project-configs/quoting',
    ],
    adapters: ['mysql'],
    listsFields: false,
    quotes: { database: false, schema: true, identifier: true },
    typeSpellings: [],
  },
  parsers: { nodeSqlParser: 'mysql', polyglot: 'mysql' },
}

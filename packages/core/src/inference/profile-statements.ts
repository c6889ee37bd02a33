import type { CatalogTable, Column, ColumnProfile, PatternCounts, TableProfile } from '@stagecraft/spec'
import type { Dialect, Family } from '@stagecraft/dialects'
import { cast } from '../plan/conversions.ts'
import { quoteIdentifier } from '../sql/identifiers.ts'
import { parseType } from '../sql/types.ts'
import { hidesBounds } from './personal.ts'
import { printRelation } from './print-relation.ts'
import { printRows, type Reading, WHOLE } from './reading.ts'
import { ID_ENDINGS } from './read-subjects.ts'
import { type ColumnWords, readNames } from './words-of-names.ts'

/** A row as a driver or an export gives it: numbers may be texts. */
export type ResultRow = Readonly<Record<string, unknown>>

/** The most columns in one statement, because warehouses limit the columns of an answer. */
const COLUMNS_AT_ONCE = 60

/** The measures of a column besides its nulls. */
interface Measures {
  readonly distinct: boolean
  readonly bounds: 'number' | 'moment' | undefined
  /** Lengths and forms of texts. */
  readonly texts: boolean
  /** True if the values are cast to texts first. @default false */
  readonly readAsText?: boolean
  /** True if functions refuse the values, so only their presence is looked at. @default false */
  readonly isOpaque?: boolean
}

const NUMBER: Measures = { distinct: true, bounds: 'number', texts: false }
const MOMENT: Measures = { distinct: true, bounds: 'moment', texts: false }
const TEXT: Measures = { distinct: true, bounds: undefined, texts: true }
const NOTHING: Measures = { distinct: false, bounds: undefined, texts: false }
const COUNTED: Measures = { ...NOTHING, distinct: true }

/**
 * The conditions that recognize the forms of texts: `{x}` is the text, `{length}` its length. Every warehouse reads
 * them alike. The first part of each is quick, and excludes most texts.
 */
const PATTERNS = {
  email: "{x} like '%@%' and {x} like '%_@_%._%' and {x} not like '% %'",
  url: "{x} like 'http%' and ({x} like 'http://%' or {x} like 'https://%')",
  // SQL Server reads brackets as a character class, and would find nothing
  json: `{x} like '{%' and {x} like '{%"%:%}' or {x} like '[{%' and {x} like '[{%"%:%}]'`,
  date: "{length} = 10 and {x} like '____-__-__'",
  parted:
    "{length} between 8 and 10 and ({x} like '%_/_%/____' or {x} like '%_._%.____' or {x} like '%_-_%-____') and ({x} like '%19__' or {x} like '%20__')",
  digits: "{length} = 8 and ({x} like '19______' or {x} like '20______')",
  timestamp:
    "{length} between 16 and 40 and {x} like '%:%' and ({x} like '____-__-__ __:__%' or {x} like '____-__-__T__:__%')",
} as const satisfies Readonly<Record<keyof PatternCounts, string>>

/** Matches all texts of these forms, and some others. */
const ANY_FORM =
  "{length} >= 5 and ({x} like '%@%' or {x} like 'http%' or {x} like '{%' or {x} like '[{%' or {x} like '____-__-__%' or {length} between 8 and 10 and ({x} like '19______' or {x} like '20______' or {x} like '%19__' or {x} like '%20__'))"

const PATTERN_NAMES = Object.keys(PATTERNS) as readonly (keyof PatternCounts)[]

/** The measures of each family. Those without an entry, such as documents, are not compared. */
const MEASURES: Readonly<Partial<Record<Family, Measures>>> = {
  integer: NUMBER,
  decimal: NUMBER,
  float: NUMBER,
  boolean: COUNTED,
  string: TEXT,
  uuid: COUNTED,
  date: MOMENT,
  timestamp_ntz: MOMENT,
  timestamp_tz: MOMENT,
}

/** Returns a query that reads no row, and that the warehouse refuses if a column may not be read. */
export function permissionStatement(
  table: CatalogTable,
  columns: readonly Column[],
  dialect: Dialect,
): string {
  const items = columns.map(
    ({ name }, at) => `count(case when ${quoteIdentifier(name, dialect)} is null then 1 end) as column_${at}`,
  )
  return `select ${['count(*) as row_count', ...items].join(', ')} from ${printRelation(table, dialect)} where 1 = 0`
}

/** A question about some columns of a table. */
export interface ProfileStatement {
  readonly sql: string
  /** The fallback for warehouses that refuse it: of texts of special types, only nulls are counted. */
  readonly careful: string
}

/**
 * Returns one aggregate query per 60 columns of a table, each with one scan. Bounds are the only values that leave
 * the warehouse.
 */
export function profileStatements(
  table: CatalogTable,
  dialect: Dialect,
  reading: Reading = WHOLE,
): readonly ProfileStatement[] {
  return chunks(table.columns.length).map((range) => ({
    sql: printStatement(table, range, { dialect, reading, measures: measuresOf }),
    careful: printStatement(table, range, { dialect, reading, measures: carefulMeasuresOf }),
  }))
}

/**
 * Returns one more query per 60 columns in which the first answers found texts with a possible form; none if the
 * first queries counted the forms. Its answers complete the first ones.
 */
export function formStatements(
  table: CatalogTable,
  rows: readonly ResultRow[],
  { dialect, reading }: { readonly dialect: Dialect; readonly reading: Reading },
): readonly string[] {
  const answer = answerOf(rows)
  const items = table.columns.flatMap(({ name, type }, index): readonly string[] => {
    if ((toNumber(answer.get(`formed_${index}`)) ?? 0) === 0) return []
    const { readAsText = false } = measuresOf({ name, type }, undefined, dialect)
    const stored = quoteIdentifier(name, dialect)
    const column = readAsText ? cast(stored, dialect.types.cast.string ?? 'varchar', dialect) : stored
    return [countForms({ column, length: lengthOf(column, dialect) }, `${index}`).join(',\n  ')]
  })
  return chunks(items.length)
    .map(([start, end]) => items.slice(start, end))
    .filter((part) => part.length > 0)
    .map((part) =>
      ['select', `  ${part.join(',\n  ')}`, `from ${printRows(table, reading, dialect)}`].join('\n'),
    )
}

function lengthOf(column: string, dialect: Dialect): string {
  const { characters, textLength } = dialect.idioms
  return (characters ?? textLength).replaceAll('{x}', () => column)
}

interface StatementOptions {
  readonly dialect: Dialect
  readonly reading: Reading
  readonly measures: typeof measuresOf
}

function printStatement(
  table: CatalogTable,
  [start, end]: readonly [start: number, end: number],
  { dialect, measures, reading }: StatementOptions,
): string {
  const chosen = chooseMeasures(table, dialect, measures)
  const items = table.columns.slice(start, end).flatMap((column, offset) =>
    measure(quoteIdentifier(column.name, dialect), `${start + offset}`, chosen(column), {
      dialect,
      reading,
    }),
  )
  return [
    'select',
    ['count(*) as row_count', ...items].map((item) => `  ${item}`).join(',\n'),
    `from ${printRows(table, reading, dialect)}`,
  ].join('\n')
}

/** Combines the answers to `profileStatements`. Column names may come back in any case. */
export function readProfile(
  table: CatalogTable,
  rows: readonly ResultRow[],
  { dialect, reading = WHOLE }: { readonly dialect: Dialect; readonly reading?: Reading },
): TableProfile {
  const answer = answerOf(rows)
  const total = toNumber(answer.get('row_count')) ?? 0
  const chosen = chooseMeasures(table, dialect, measuresOf)
  const columns = table.columns.map((stored, index) => {
    const { name } = stored
    const column = readColumn(answer, `${index}`, chosen(stored), total)
    const isEstimate = reading.distinct === 'estimated' && column.distinct !== undefined
    return [name, { ...column, ...(isEstimate && { approximate: true }) }] as const
  })
  return {
    rows: total,
    ...(reading.share < 1 && { sampled: true }),
    columns: Object.fromEntries(columns),
  }
}

/** Maps column names in lower case to values, because warehouses return names in any case. */
function answerOf(rows: readonly ResultRow[]): ReadonlyMap<string, unknown> {
  return new Map(
    rows.flatMap((row) => Object.entries(row).map(([name, value]) => [name.toLowerCase(), value] as const)),
  )
}

function chunks(count: number): readonly (readonly [start: number, end: number])[] {
  const starts = Array.from({ length: Math.max(1, Math.ceil(count / COLUMNS_AT_ONCE)) }, (_, at) => at)
  return starts.map((at) => [at * COLUMNS_AT_ONCE, Math.min(count, (at + 1) * COLUMNS_AT_ONCE)])
}

/** Chooses the measures of the columns of a table; the bounds of personal data are not queried. */
function chooseMeasures(
  table: CatalogTable,
  dialect: Dialect,
  measures: typeof measuresOf,
): (column: Column) => Measures {
  const names = readNames([table])
  return (column) => {
    const named = { table: names.table(table), column: names.column(table, column) }
    const chosen = measures(column, named.column, dialect)
    return hidesBounds(named) ? { ...chosen, bounds: undefined } : chosen
  }
}

function measuresOf(column: Column, words: ColumnWords | undefined, dialect: Dialect): Measures {
  const type = parseType(column.type, dialect)
  const { base, family } = type
  if (dialect.types.incomparable.includes(base)) return { ...NOTHING, isOpaque: true }
  if (family === 'binary') return mayIdentify(type.arguments[0], words) ? COUNTED : NOTHING
  if (isEnum(column, dialect)) return { ...COUNTED, readAsText: true }
  const readAsText = dialect.types.readAsText.includes(base)
  return { ...(MEASURES[family] ?? NOTHING), ...(readAsText && { readAsText }) }
}

/** Longer bytes are documents and pictures. */
const LONGEST_ID = 64

/** Returns true for bytes that are ids or hashes, by their length or their name: comparing pictures takes long. */
function mayIdentify(length: number | undefined, words: ColumnWords | undefined): boolean {
  const isShort = length !== undefined && length <= LONGEST_ID
  return isShort || (words !== undefined && (ID_ENDINGS.has(words.ending) || words.words.at(-1) === 'hash'))
}

/** Returns true for a type of its own with listed labels. */
export function isEnum({ type, values }: Column, dialect: Dialect): boolean {
  return values !== undefined && !parseType(type, dialect).known
}

/** A domain or a type of an extension may be listed as a text, so only plain texts are measured as such. */
const PLAIN_TEXT = /char|text|string|enum/

function carefulMeasuresOf(column: Column, words: ColumnWords | undefined, dialect: Dialect): Measures {
  const { base, family } = parseType(column.type, dialect)
  const isOdd = family === 'binary' || (family === 'string' && !PLAIN_TEXT.test(base))
  return isOdd ? NOTHING : measuresOf(column, words, dialect)
}

function measure(
  stored: string,
  id: string,
  measures: Measures,
  { dialect, reading }: Pick<StatementOptions, 'dialect' | 'reading'>,
): readonly string[] {
  const text = dialect.types.cast.string ?? 'varchar'
  const { bounds, distinct, isOpaque = false, readAsText = false, texts } = measures
  const column = readAsText ? cast(stored, text, dialect) : stored
  const length = lengthOf(column, dialect)
  const { approximateDistinct = 'count(distinct {x})' } =
    reading.distinct === 'estimated' ? dialect.sampling : {}
  return [
    `count(${isOpaque ? `case when ${column} is not null then 1 end` : column}) as count_${id}`,
    ...(distinct ? [`${approximateDistinct.replace('{x}', () => column)} as distinct_${id}`] : []),
    ...(bounds === undefined
      ? []
      : ['min', 'max'].map((name) => `${cast(`${name}(${column})`, text, dialect)} as ${name}_${id}`)),
    ...(texts
      ? [
          `min(${length}) as shortest_${id}`,
          `max(${length}) as longest_${id}`,
          ...(reading.formsApart
            ? [countOf(ANY_FORM, { column, length }, `formed_${id}`)]
            : countForms({ column, length }, id)),
        ]
      : []),
  ]
}

/** A column and the expression of its length, quoted. */
interface Texts {
  readonly column: string
  readonly length: string
}

function countForms(texts: Texts, id: string): readonly string[] {
  return PATTERN_NAMES.map((name) => countOf(PATTERNS[name], texts, `${name}_${id}`))
}

function countOf(condition: string, { column, length }: Texts, name: string): string {
  const printed = condition.replaceAll('{x}', () => column).replaceAll('{length}', () => length)
  return `sum(case when ${printed} then 1 else 0 end) as ${name}`
}

function readColumn(
  answer: ReadonlyMap<string, unknown>,
  id: string,
  { bounds, distinct, texts }: Measures,
  rows: number,
): ColumnProfile {
  const number = (name: string): number | undefined => toNumber(answer.get(`${name}_${id}`))
  const bound = (name: string): number | string | undefined => {
    const value = answer.get(`${name}_${id}`)
    if (value === null || value === undefined) return undefined
    if (number('count') === 0) return undefined // of no values, min and max of ClickHouse are zero
    if (bounds === 'number') return toNumber(value)
    return typeof value === 'string' ? value : undefined
  }
  return {
    nulls: rows - (number('count') ?? 0),
    ...(distinct && defined('distinct', number('distinct'))),
    ...(bounds && { ...defined('min', bound('min')), ...defined('max', bound('max')) }),
    ...(texts && {
      ...defined('minLength', number('shortest')),
      ...defined('maxLength', number('longest')),
      ...defined('patterns', patternsOf(number)),
    }),
  }
}

function patternsOf(number: (name: string) => number | undefined): PatternCounts | undefined {
  const found = PATTERN_NAMES.flatMap((name) => {
    const rows = number(name) ?? 0
    return rows > 0 ? [[name, rows] as const] : []
  })
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

function defined<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]?: Value })
}

/** NaN and infinities carry no information about the range. */
function toNumber(value: unknown): number | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

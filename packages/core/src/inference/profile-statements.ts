import type { CatalogTable, ColumnProfile, TableProfile } from '@stagecraft/spec'
import type { Dialect, Family } from '@stagecraft/dialects'
import { cast } from '../plan/conversions.ts'
import { quoteIdentifier } from '../sql/identifiers.ts'
import { parseType } from '../sql/parse-type.ts'

/** A row as a driver or an export gives it: numbers may be texts. */
export type ResultRow = Readonly<Record<string, unknown>>

/** Most columns that one statement counts, since warehouses limit the columns of an answer. */
const COLUMNS_AT_ONCE = 60

/** The measures of a column besides its nulls. */
interface Measures {
  readonly distinct: boolean
  readonly bounds: 'number' | 'moment' | undefined
  readonly lengths: boolean
}

const NUMBER: Measures = { distinct: true, bounds: 'number', lengths: false }
const MOMENT: Measures = { distinct: true, bounds: 'moment', lengths: false }
const TEXT: Measures = { distinct: true, bounds: undefined, lengths: true }
const NOTHING: Measures = { distinct: false, bounds: undefined, lengths: false }

/** Types without an entry are documents and other things that are not compared. */
const MEASURES: Readonly<Partial<Record<Family, Measures>>> = {
  integer: NUMBER,
  decimal: NUMBER,
  float: NUMBER,
  boolean: { ...NOTHING, distinct: true },
  string: TEXT,
  uuid: { ...NOTHING, distinct: true },
  date: MOMENT,
  timestamp_ntz: MOMENT,
  timestamp_tz: MOMENT,
}

/** A question about some columns of a table. */
export interface ProfileStatement {
  readonly sql: string
  /** The same for warehouses that refuse it: of types that are not plain, only nulls are counted. */
  readonly careful: string
}

/** One aggregate query per 60 columns of a table, each of one scan. No value leaves the warehouse but bounds. */
export function profileStatements(table: CatalogTable, dialect: Dialect): readonly ProfileStatement[] {
  return chunks(table.columns.length).map((range) => ({
    sql: printStatement(table, range, { dialect, measures: measuresOf }),
    careful: printStatement(table, range, { dialect, measures: carefulMeasuresOf }),
  }))
}

function printStatement(
  table: CatalogTable,
  [start, end]: readonly [start: number, end: number],
  { dialect, measures }: { readonly dialect: Dialect; readonly measures: typeof measuresOf },
): string {
  const items = table.columns
    .slice(start, end)
    .flatMap(({ name, type }, offset) =>
      measure(quoteIdentifier(name, dialect), `${start + offset}`, measures(type, dialect), dialect),
    )
  return [
    'select',
    ['count(*) as row_count', ...items].map((item) => `  ${item}`).join(',\n'),
    `from ${printRelation(table, dialect)}`,
  ].join('\n')
}

/** Puts the answers to `profileStatements` together. Column names may come back in any case. */
export function readProfile(table: CatalogTable, rows: readonly ResultRow[], dialect: Dialect): TableProfile {
  const answer = new Map(
    rows.flatMap((row) => Object.entries(row).map(([name, value]) => [name.toLowerCase(), value] as const)),
  )
  const total = toNumber(answer.get('row_count')) ?? 0
  return {
    rows: total,
    columns: Object.fromEntries(
      table.columns.map(({ name, type }, index) => [
        name,
        readColumn(answer, `${index}`, measuresOf(type, dialect), total),
      ]),
    ),
  }
}

function chunks(count: number): readonly (readonly [start: number, end: number])[] {
  const starts = Array.from({ length: Math.max(1, Math.ceil(count / COLUMNS_AT_ONCE)) }, (_, at) => at)
  return starts.map((at) => [at * COLUMNS_AT_ONCE, Math.min(count, (at + 1) * COLUMNS_AT_ONCE)])
}

function measuresOf(type: string, dialect: Dialect): Measures {
  return MEASURES[parseType(type, dialect).family] ?? NOTHING
}

/** PostgreSQL has texts without a length (macaddr) and without equality (xml). */
const PLAIN_TEXT = /char|text|string/

function carefulMeasuresOf(type: string, dialect: Dialect): Measures {
  const { base, family } = parseType(type, dialect)
  const isPlain = family === 'string' ? PLAIN_TEXT.test(base) : family !== 'uuid'
  return isPlain ? (MEASURES[family] ?? NOTHING) : NOTHING
}

function measure(column: string, id: string, measures: Measures, dialect: Dialect): readonly string[] {
  const text = dialect.types.cast.string ?? 'varchar'
  const { bounds, distinct, lengths } = measures
  const length = dialect.idioms.textLength.replaceAll('{x}', () => column)
  return [
    `count(${column}) as count_${id}`,
    ...(distinct ? [`count(distinct ${column}) as distinct_${id}`] : []),
    ...(bounds === undefined
      ? []
      : ['min', 'max'].map((name) => `${cast(`${name}(${column})`, text, dialect)} as ${name}_${id}`)),
    ...(lengths ? [`min(${length}) as shortest_${id}`, `max(${length}) as longest_${id}`] : []),
  ]
}

function readColumn(
  answer: ReadonlyMap<string, unknown>,
  id: string,
  { bounds, distinct, lengths }: Measures,
  rows: number,
): ColumnProfile {
  const number = (name: string): number | undefined => toNumber(answer.get(`${name}_${id}`))
  const bound = (name: string): number | string | undefined => {
    const value = answer.get(`${name}_${id}`)
    if (value === null || value === undefined) return undefined
    if (bounds === 'number') return toNumber(value)
    return typeof value === 'string' ? value : undefined
  }
  return {
    nulls: rows - (number('count') ?? 0),
    ...(distinct && defined('distinct', number('distinct'))),
    ...(bounds && { ...defined('min', bound('min')), ...defined('max', bound('max')) }),
    ...(lengths && {
      ...defined('minLength', number('shortest')),
      ...defined('maxLength', number('longest')),
    }),
  }
}

function defined<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]?: Value })
}

/** NaN and infinities say nothing of where values lie. */
function toNumber(value: unknown): number | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** A table as a statement outside dbt names it. */
export function printRelation({ database, location, name, schema }: CatalogTable, dialect: Dialect): string {
  if (location !== undefined) return location
  const parts = dialect.identifiers.namespaces.length > 1 ? [database, schema, name] : [schema, name]
  return parts.flatMap((part) => (part === undefined ? [] : [quoteIdentifier(part, dialect)])).join('.')
}

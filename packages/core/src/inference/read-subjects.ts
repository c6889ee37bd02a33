import type { CatalogTable, Column, ColumnProfile, TableProfile } from '@stagecraft/spec'
import type { Dialect, Family } from '@stagecraft/dialects'
import { findLoader, isLoaderColumn } from '../loaders/detect.ts'
import { parseType } from '../sql/types.ts'
import { CHANGED_WORDS, LOADED_WORDS } from './fact-words.ts'
import type { InferenceTable } from './inference.ts'
import { type ColumnWords, type NameWords, readNames } from './words-of-names.ts'

/** Values can only match if both columns are of the same kind. */
type ValueKind = 'number' | 'text' | 'uuid' | 'bytes' | 'unknown'

/** A column, read once. */
export interface SubjectColumn {
  readonly name: string
  readonly position: number
  readonly words: ColumnWords
  /** Undefined for types that identify nothing: dates, booleans, documents, arrays, floating-point numbers. */
  readonly kind: ValueKind | undefined
  readonly isMoment: boolean
  readonly nullable: boolean
  readonly profile: ColumnProfile | undefined
  /** Rows that a check found to be unique, if the profile did not show it. */
  readonly uniqueIn?: number
}

/** A table, read once. */
export interface Subject {
  readonly table: CatalogTable
  readonly words: NameWords
  readonly profile: TableProfile | undefined
  /** Without those of loaders. */
  readonly columns: readonly SubjectColumn[]
  /** The column that records when a row was loaded or changed, including those of a loader; absent without one. */
  readonly changedAt?: string
}

/** A column that may refer to another table, with the confidence of the names. */
export interface ReferenceCandidate {
  readonly subject: Subject
  readonly child: SubjectColumn
  readonly parent: Subject
  readonly key: SubjectColumn
  readonly rule: string
  /** The places where SQL of the project joins on it. @default none */
  readonly joins?: readonly string[]
  /** The share of the rule's references that were right, on databases with known keys. */
  readonly confidence: number
}

const KINDS: Readonly<Partial<Record<Family, ValueKind>>> = {
  integer: 'number',
  decimal: 'number',
  string: 'text',
  uuid: 'uuid',
  binary: 'bytes',
  other: 'unknown',
}

export function readSubjects(tables: readonly InferenceTable[], dialect: Dialect): readonly Subject[] {
  const names = readNames(tables.map(({ table }) => table))
  return tables.map(({ profile, table }) => {
    const loader = findLoader(
      table.columns.map(({ name }) => name),
      'auto',
    )
    const own = table.columns.filter(({ name }) => !isLoaderColumn(name, loader))
    const changed = table.columns.find(
      (column) =>
        readType(column, dialect).isMoment &&
        (isLoaderColumn(column.name, loader) || names.column(table, column).words.some(saysChanged)),
    )
    return {
      table,
      words: names.table(table),
      profile,
      ...(changed && { changedAt: changed.name }),
      columns: own.map((column, position) => ({
        name: column.name,
        position,
        words: names.column(table, column),
        ...readType(column, dialect),
        nullable: column.nullable ?? true,
        profile: readColumn(column.name, profile),
      })),
    }
  })
}

function saysChanged(word: string): boolean {
  return CHANGED_WORDS.has(word) || LOADED_WORDS.has(word)
}

/** Marks the figures of a sample as approximate: it has fewer distinct values than the table. */
function readColumn(name: string, table: TableProfile | undefined): ColumnProfile | undefined {
  const profile = table?.columns[name]
  return profile && table.sampled ? { ...profile, approximate: true } : profile
}

/** Returns true if some numbers of distinct values are estimates. */
export function hasEstimates({ columns }: Subject): boolean {
  return columns.some(({ profile }) => profile?.approximate === true)
}

/** With fewer rows, the data proves nothing, and names decide. */
export const TINY = 12

/** Returns true if the profile shows that no value occurs twice or is missing. */
export function isKnownUnique(column: SubjectColumn | undefined, { profile }: Subject): boolean {
  if (!column?.profile || !profile || profile.rows === 0) return false
  return (
    column.profile.nulls === 0 &&
    column.profile.approximate !== true &&
    column.profile.distinct === profile.rows
  )
}

/** Endings that indicate a key on their own; codes and numbers often only give an order. */
export const ID_ENDINGS: ReadonlySet<string> = new Set('id key sk uuid guid pk gid'.split(' '))

/**
 * Returns true if the table has a column with the name of a key whose values could not be compared. Then other columns
 * that identify each row today show nothing.
 *
 * @param tables The names of all tables: a column named after another table refers to it.
 */
export function hasUnreadKey({ columns, profile }: Subject, tables: ReadonlySet<string>): boolean {
  if (!profile || profile.rows === 0) return false
  return columns.some(
    ({ profile: known, words: { ending, isPlural, stem } }) =>
      ID_ENDINGS.has(ending) && !isPlural && !tables.has(stem.whole) && known?.distinct === undefined,
  )
}

/** The largest error of an estimate. */
const OFF = 0.1

/** Returns true if the profile shows a repeated or a missing value. */
export function isRefuted({ profile }: SubjectColumn, { profile: table }: Subject): boolean {
  if (!profile || !table || table.rows === 0) return false
  const { approximate = false, distinct, nulls } = profile
  if (distinct === undefined) return nulls > 0
  const isEstimate = approximate && table.sampled !== true
  return nulls > 0 || distinct < (isEstimate ? (1 - OFF) * table.rows : table.rows)
}

function readType({ type }: Column, dialect: Dialect): Pick<SubjectColumn, 'isMoment' | 'kind'> {
  const { arguments: numbers, base, family } = parseType(type, dialect)
  const isIncomparable = dialect.types.incomparable.includes(base)
  const hasFraction = family === 'decimal' && (numbers[1] ?? 0) > 0
  return {
    kind: hasFraction || isIncomparable ? undefined : KINDS[family],
    isMoment: family === 'date' || family.startsWith('timestamp'),
  }
}

/** Returns true if values of one column can be those of the other. */
export function isComparable(a: SubjectColumn, b: SubjectColumn): boolean {
  if (a.kind === undefined || b.kind === undefined) return false
  return a.kind === b.kind || a.kind === 'unknown' || b.kind === 'unknown'
}

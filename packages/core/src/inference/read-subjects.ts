import type { CatalogTable, Column, ColumnProfile, TableProfile } from '@stagecraft/spec'
import type { Dialect, Family } from '@stagecraft/dialects'
import { findLoader, isLoaderColumn } from '../loaders/detect.ts'
import { parseType } from '../sql/parse-type.ts'
import type { InferenceTable } from './inference.ts'
import { type ColumnWords, type NameWords, readNames } from './words-of-names.ts'

/** Values of one kind can be those of another only where both are of the same. */
type ValueKind = 'number' | 'text' | 'uuid' | 'unknown'

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
}

/** A table, read once. */
export interface Subject {
  readonly table: CatalogTable
  readonly words: NameWords
  readonly profile: TableProfile | undefined
  /** Without those of loaders. */
  readonly columns: readonly SubjectColumn[]
}

/** A column that may hold the key of another table, and how much the names say so. */
export interface ReferenceCandidate {
  readonly subject: Subject
  readonly child: SubjectColumn
  readonly parent: Subject
  readonly key: SubjectColumn
  readonly rule: string
  /** Share of references found by the rule that were true ones, on databases with known keys. */
  readonly confidence: number
}

const KINDS: Readonly<Partial<Record<Family, ValueKind>>> = {
  integer: 'number',
  decimal: 'number',
  string: 'text',
  uuid: 'uuid',
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
    return {
      table,
      words: names.table(table),
      profile,
      columns: own.map((column, position) => ({
        name: column.name,
        position,
        words: names.column(table, column),
        ...readType(column, dialect),
        nullable: column.nullable ?? true,
        profile: profile?.columns[column.name],
      })),
    }
  })
}

function readType({ type }: Column, dialect: Dialect): Pick<SubjectColumn, 'isMoment' | 'kind'> {
  const { arguments: numbers, family } = parseType(type, dialect)
  const hasFraction = family === 'decimal' && (numbers[1] ?? 0) > 0
  return {
    kind: hasFraction ? undefined : KINDS[family],
    isMoment: family === 'date' || family.startsWith('timestamp'),
  }
}

/** Returns true if values of one column can be those of the other. */
export function isComparable(a: SubjectColumn, b: SubjectColumn): boolean {
  if (a.kind === undefined || b.kind === undefined) return false
  return a.kind === b.kind || a.kind === 'unknown' || b.kind === 'unknown'
}

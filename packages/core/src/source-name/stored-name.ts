import type { Dialect } from '@stagecraft/dialects'
import { type NamePart, type SourceName, type Table, compareText } from '@stagecraft/spec'
import { foldCase } from '../sql/identifiers.ts'

/** The place of a table, spelled as the warehouse stores it. */
export interface StoredName {
  readonly database: string | undefined
  readonly schema: string | undefined
  readonly table: string
}

/**
 * The stored spelling of a name: what the catalog says, else the part itself as the dialect folds it.
 * Levels that were not asked for stay away, so that the output names no more than the user did.
 */
export function storedName(name: SourceName, table: Table, dialect: Dialect): StoredName {
  const spelled = (part: NamePart): string => (part.quoted ? part.text : foldCase(part.text, dialect))
  return {
    database: name.database && (table.database ?? spelled(name.database)),
    schema: table.schema ?? (name.schema && spelled(name.schema)),
    table: table.name ?? spelled(name.table),
  }
}

/** Orders names by code unit, the same on every machine. */
export function compareNames(a: StoredName, b: StoredName): number {
  return (
    compareText(a.database ?? '', b.database ?? '') ||
    compareText(a.schema ?? '', b.schema ?? '') ||
    compareText(a.table, b.table)
  )
}

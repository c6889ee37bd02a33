import type { CatalogTable, DialectName, Fault, Warning } from '@stagecraft/spec'

/** The content of a file, or all of its faults. */
export type ParsedColumns =
  | {
      readonly tables: readonly LocatedTable[]
      readonly dialect?: DialectName | undefined
      readonly warnings?: readonly Warning[]
    }
  | { readonly faults: readonly Fault[] }

/** A table and its place in the file. */
export interface LocatedTable {
  readonly table: CatalogTable
  /** Its dotted path: `tables.0`. */
  readonly path: string
  /** Returns the line of the table, or of a part of it. Called only for faults. */
  readonly line: (below?: readonly (string | number)[]) => number | undefined
}

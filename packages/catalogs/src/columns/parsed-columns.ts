import type { CatalogTable, DialectName, Fault, Warning } from '@stagecraft/spec'

/** The content of a file, or all of its faults. */
export type ParsedColumns =
  | {
      readonly tables: readonly LocatedTable[]
      readonly dialect?: DialectName | undefined
      readonly warnings?: readonly Warning[]
    }
  | { readonly faults: readonly Fault[] }

/** A table and where the file has it. */
export interface LocatedTable {
  readonly table: CatalogTable
  /** Its dotted path: `tables.0`. */
  readonly path: string
  /** That of the table, or of something below it. Looked up only for a fault. */
  readonly line: (below?: readonly (string | number)[]) => number | undefined
}

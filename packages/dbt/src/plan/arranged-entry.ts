import type { YamlEntry } from '../yaml/yaml-edit.ts'
import type { OwnSql } from './own-sql.ts'
import type { EntryInput } from './entry-input.ts'
import type { ColumnNames } from './selected-names.ts'

/** An entry of a table, and the file that it belongs to. */
export interface ArrangedEntry extends EntryInput {
  readonly key: string
  readonly kind: 'properties' | 'source'
  readonly path: string
  /** The default file of the entry. */
  readonly generatedPath: string
  /** The generated entry, independent of what the model selects. */
  readonly generated?: YamlEntry
  /** The names that the model selects. @default the generated ones */
  readonly names?: ColumnNames | undefined
  /** The differences of the model from the generated one. @default none */
  readonly sql?: OwnSql | undefined
}

/** The shared part of entries of deleted tables. */
export const GONE = { isSelected: true, isPruned: false, add: [], wanted: undefined } as const

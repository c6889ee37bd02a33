import type { YamlEntry } from '../yaml/yaml-edit.ts'
import type { OwnSql } from './own-sql.ts'
import type { EntryInput } from './plan-yaml.ts'
import type { ColumnNames } from './selected-names.ts'

/** An entry of a table, and the file that it belongs to. */
export interface ArrangedEntry extends EntryInput {
  readonly key: string
  readonly kind: 'properties' | 'source'
  readonly path: string
  /** The file it would be in if nobody else had one. */
  readonly generatedPath: string
  readonly isSelected: boolean
  /** As it is generated, whatever the model selects. */
  readonly generated?: YamlEntry
  /** The names that the model selects. @default the generated ones */
  readonly names?: ColumnNames | undefined
  /** What the model does otherwise than what is said of the generated one. @default nothing */
  readonly sql?: OwnSql | undefined
}

/** What the entries of tables that are gone have in common. */
export const GONE = { isSelected: true, isPruned: false, add: [], wanted: undefined } as const

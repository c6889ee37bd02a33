import type { Family } from '@stagecraft/dialects'
import type { ForeignKey } from '@stagecraft/spec'
import type { StoredName } from '../source-name/stored-name.ts'

/** The staged form of a table that foreign keys point to. */
export interface Parent {
  readonly model: string
  /** The staged name of a stored column; undefined when the model does not have it. */
  columnName(stored: string): string | undefined
  /** The stored column that identifies a row; undefined for several and where nothing tells. */
  readonly key: string | undefined
  /** The stored spelling of a column, whatever the case. */
  spell(column: string): string | undefined
  /** The family of a stored column as staged; undefined where it is not known. */
  familyOf(stored: string): Family | undefined
  /** The model has fewer rows than its source, so that children may miss their parent. */
  readonly dropsRows: boolean
}

/** Finds the model that a table is staged as, in this run or in the user's project. */
export type FindParent = (table: StoredName) => Parent | undefined

/** The table that a foreign key points to; what it does not say is that of its own table. */
export function referencedTable({ references }: ForeignKey, own: StoredName): StoredName {
  return {
    database: references.table.database ?? own.database,
    schema: references.table.schema ?? own.schema,
    table: references.table.name,
  }
}

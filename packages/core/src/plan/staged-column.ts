import type { Family } from '@stagecraft/dialects'
import type { Column, ColumnConfig, Conversion } from '@stagecraft/spec'
import type { ColumnGroup, ColumnReasons, SqlLines } from './plan.ts'

/** A column with expression and name, before tests and descriptions. */
export interface StagedColumn {
  /** Undefined when the model computes the column. */
  readonly column: Column | undefined
  /** 1-based position in the source; computed columns come after all others. */
  readonly ordinal: number
  readonly config: ColumnConfig
  /** The loader wrote it, not the source system. */
  readonly isMetadata: boolean
  /** The difference between the value and the stored one; it limits the claims of rules. */
  readonly change: 'none' | 'utc' | 'boolean' | 'deleted' | 'other'
  /** The operation that made the value, if one was applied by name. */
  readonly conversion: Conversion | undefined
  readonly expression: SqlLines
  readonly family: Family
  readonly dataType: string
  readonly name: string
  /** The name as SQL writes it. */
  readonly alias: string
  readonly quoted: boolean
  readonly group: ColumnGroup
  readonly reasons: ColumnReasons
}

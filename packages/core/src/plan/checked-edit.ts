import type { ColumnEdit } from '@stagecraft/spec'
import type { PlannedTest } from './plan.ts'

/** What a backend proposed for one column, and what passed every check. */
export interface CheckedColumnEdit extends Omit<ColumnEdit, 'tests' | 'ordinal'> {
  readonly tests: readonly PlannedTest[]
}

/** What a backend proposed for a table, and what passed every check. */
export interface CheckedEdit {
  readonly description: string | null
  /** By ordinal. */
  readonly columns: ReadonlyMap<number, CheckedColumnEdit>
}

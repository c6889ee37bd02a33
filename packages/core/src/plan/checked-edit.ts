import type { Family } from '@stagecraft/dialects'
import type { ColumnEdit } from '@stagecraft/spec'
import type { StoredName } from '../source-name.ts'
import type { PlannedTest } from './plan.ts'

/** A test that a backend proposed. A parent is looked up when all tables are edited, for its final names. */
export interface ProposedTest extends PlannedTest {
  readonly parent?: { readonly table: StoredName; readonly column: string }
}

/** The proposal of a backend for one column, after every check. */
export interface CheckedColumnEdit extends Omit<ColumnEdit, 'tests' | 'ordinal' | 'expression' | 'type'> {
  readonly tests: readonly ProposedTest[]
  readonly expression?: CheckedExpression | undefined
  /** The losses of the column against the source, in fixed words. */
  readonly losses?: readonly string[]
}

/** An expression as the model selects it: nothing is added to it. */
export interface CheckedExpression {
  readonly sql: string
  readonly family: Family
  /** The type of its result, as far as it is known. */
  readonly dataType: string
}

/** The proposal of a backend for a table, after every check. */
export interface CheckedEdit {
  readonly description: string | null
  /** By ordinal. */
  readonly columns: ReadonlyMap<number, CheckedColumnEdit>
}

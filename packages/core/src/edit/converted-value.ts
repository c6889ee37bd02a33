import type { Dialect, Family } from '@stagecraft/dialects'
import type { ExpressionTree } from './expression-tree.ts'

/** A column as an edit would stage it. */
export interface ConvertedValue {
  /** The expression, or the operation as one. */
  readonly tree: ExpressionTree
  readonly column: string
  readonly type: string
  readonly from: Family
  readonly to: Family
  readonly dialect: Dialect
  /** The words of the raw name, of the comment and of the planned name. */
  readonly raw: readonly string[]
  readonly comment: readonly string[]
  readonly staged: readonly string[]
  /** The comment as it is written. */
  readonly said: string
  /** True if the name changes with the edit. */
  readonly isRenamed: boolean
}

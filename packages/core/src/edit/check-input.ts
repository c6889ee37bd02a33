import type { ColumnEdit } from '@stagecraft/spec'
import type { StagedColumn } from '../plan/staged-column.ts'
import type { ExpressionGate } from './expression-gate.ts'
import type { EditSubject } from './task.ts'

export interface CheckInput {
  readonly subject: EditSubject
  /** The columns that the backend was asked about. */
  readonly asked: readonly StagedColumn[]
  /** The edits of earlier parts of the same table. */
  readonly before: readonly ColumnEdit[]
  readonly redactNames: boolean
  /** Undefined if expressions are not allowed. */
  readonly gate: ExpressionGate | undefined
}

/** An edit and the column that it is about. */
export interface Pair {
  readonly edit: ColumnEdit
  readonly staged: StagedColumn
}

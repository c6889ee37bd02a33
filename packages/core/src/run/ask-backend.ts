import type { Clock, Usage, Warning } from '@stagecraft/spec'
import { editTable, promptsFor, type TableEdit } from '../edit/edit-table.ts'
import type { ExpressionGate } from '../edit/expression-gate.ts'
import { explain, failureError, failureWarning } from '../edit/failure-error.ts'
import type { Prompt } from '../edit/prompt.ts'
import type { AskedLlm, DecidedLlm } from '../edit/settings.ts'
import { editableColumns, editSubject } from '../edit/task.ts'
import type { CheckedEdit } from '../plan/checked-edit.ts'
import type { PlanContext } from '../plan/subject.ts'

/** The report of the backend on one table. */
export interface EditReport {
  readonly usage: Usage
  /**
   * The origin of the decisions: the model, its answer from an earlier run, or the rules, because there was
   * no usable answer.
   */
  readonly from: 'model' | 'cache' | 'rules'
  /** The reason why the rules decided. */
  readonly cause?: string
}

export interface AskSetup {
  readonly llm: AskedLlm
  readonly clock: Clock
  /** Undefined if expressions are not allowed. */
  readonly gate: ExpressionGate | undefined
  readonly signal: AbortSignal | undefined
}

/** The result of asking the backend about one table. */
export interface Asked {
  readonly edit?: CheckedEdit
  readonly notes?: readonly Warning[]
  /** Undefined for model types that keep stored names. */
  readonly report: EditReport | undefined
}

/**
 * Asks a backend about one table.
 *
 * @throws {StagecraftError} GENERATION_FAILED if `onFailure` is `error` and there was no usable answer.
 */
export async function askBackend(plan: PlanContext, setup: AskSetup): Promise<Asked> {
  if (!isEditable(plan)) return { report: undefined }
  const edit = await editTable(editSubject(plan), setup)
  if ('failure' in edit) {
    if (setup.llm.onFailure === 'error') throw failureError(edit.failure, edit.usage)
    return { notes: [failureWarning(edit.failure)], report: reportOf(edit) }
  }
  const notes = edit.warnings.length > 0 && { notes: edit.warnings }
  return { edit: edit.edit, ...notes, report: reportOf(edit) }
}

/** Returns the prompts that would be sent. Nothing is sent. */
export function promptsOf(plan: PlanContext, llm: DecidedLlm): readonly Prompt[] {
  return isEditable(plan) ? promptsFor(editSubject(plan), llm) : []
}

/** Returns true if a backend may edit the model. A snapshot keeps every column as stored. */
function isEditable(plan: PlanContext): boolean {
  return plan.subject.type !== 'snapshot' && editableColumns(editSubject(plan)).length > 0
}

function reportOf(edit: TableEdit): EditReport {
  const { isCached, usage } = edit
  if ('failure' in edit) return { usage, from: 'rules', cause: explain(edit.failure) }
  return { usage, from: isCached ? 'cache' : 'model' }
}

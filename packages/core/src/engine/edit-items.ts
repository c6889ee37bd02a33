import { type Backend, type Clock, type Editing, type Usage } from '@stagecraft/spec'
import pLimit from 'p-limit'
import { DIALECTS } from '../dialects/index.ts'
import { type EditContext, editTable, promptsFor, type TableEdit } from '../edit/edit-table.ts'
import { type ExpressionGate, loadExpressionGate } from '../edit/expression-gate.ts'
import { failureError, failureWarning, isLasting } from '../edit/failure-error.ts'
import type { Failure } from '../edit/converse.ts'
import type { Prompt } from '../edit/prompt.ts'
import { decideEditing } from '../edit/settings.ts'
import { editableColumns, editSubject } from '../edit/task.ts'
import { NO_USAGE } from '../edit/usage.ts'
import { type EditedItem, type GenerateContext, type GenerateItem, planContexts } from '../generate.ts'
import type { PlanContext } from '../plan/plan-context.ts'
import { chooseDialect } from './choose-dialect.ts'

/** A backend and how it takes part. */
export interface EditingSetup {
  readonly backend: Backend
  readonly editing: Editing | undefined
  readonly clock: Clock
  readonly context: GenerateContext
}

export interface EditRunOptions {
  readonly signal?: AbortSignal | undefined
  /** Called as tables come back. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** What the backend did for one table. */
export interface EditReport {
  readonly usage: Usage
  readonly isFallback: boolean
}

export interface EditedRun {
  /** As they were given, with what the backend made of them. */
  readonly items: readonly EditedItem[]
  /** One per item; undefined for kinds that keep every name as stored. */
  readonly reports: readonly (EditReport | undefined)[]
}

/** Tables that are asked about at once: fast enough for a schema, and below the usual limits of a key. */
const CONCURRENCY = 4

/** What would be sent, and nothing is. */
export function promptsOf(
  items: readonly GenerateItem[],
  { context, editing }: Omit<EditingSetup, 'backend' | 'clock'>,
): readonly (readonly Prompt[])[] {
  const decided = decideEditing(editing)
  return planContexts(items, context).map((plan) =>
    isEditable(plan) ? promptsFor(editSubject(plan), decided) : [],
  )
}

/**
 * Asks the backend about every table.
 *
 * @throws {StagecraftError} GENERATION_FAILED where `onFailure` is `error` and a table got no usable answer.
 */
export async function editItems(
  items: readonly GenerateItem[],
  setup: EditingSetup,
  { onProgress, signal }: EditRunOptions,
): Promise<EditedRun> {
  const editing = decideEditing(setup.editing)
  const stop = new AbortController()
  const context: EditContext = {
    backend: setup.backend,
    clock: setup.clock,
    editing,
    gate: editing.allowExpressions ? await loadGate(setup) : undefined,
    signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
  }
  let lasting: Failure | undefined
  let done = 0
  const edits = await inParallel(planContexts(items, setup.context), stop, async (plan) => {
    context.signal?.throwIfAborted()
    const edit = lasting ? { usage: NO_USAGE, failure: lasting } : await editOne(plan, context)
    if (edit && 'failure' in edit) {
      if (editing.onFailure === 'error') throw failureError(edit.failure, edit.usage)
      if (isLasting(edit.failure)) lasting = edit.failure
    }
    onProgress?.((done += 1), items.length)
    return edit
  })
  return {
    items: items.map((item, index) => withEdit(item, edits[index])),
    reports: edits.map(reportOf),
  }
}

/** One item with what the backend made of it. */
export interface EditedOne {
  readonly item: EditedItem
  /** Undefined for kinds that keep every name as stored. */
  readonly report: EditReport | undefined
}

/**
 * Asks the backend about one table of a run.
 *
 * @throws {StagecraftError} GENERATION_FAILED where `onFailure` is `error` and there was no usable answer.
 */
export async function editItem(
  item: EditedItem,
  plan: PlanContext,
  { signal, ...setup }: EditingSetup & Pick<EditRunOptions, 'signal'>,
): Promise<EditedOne> {
  const editing = decideEditing(setup.editing)
  const gate = editing.allowExpressions ? await loadGate(setup) : undefined
  const edit = await editOne(plan, { backend: setup.backend, clock: setup.clock, editing, gate, signal })
  if (edit && 'failure' in edit && editing.onFailure === 'error') throw failureError(edit.failure, edit.usage)
  return { item: withEdit(item, edit), report: reportOf(edit) }
}

/** Stops the others when one fails, and throws what it failed with. */
async function inParallel<Input, Output>(
  inputs: readonly Input[],
  stop: AbortController,
  work: (input: Input) => Promise<Output>,
): Promise<readonly Output[]> {
  const limit = pLimit(CONCURRENCY)
  try {
    return await Promise.all(inputs.map((input) => limit(work, input)))
  } catch (error) {
    stop.abort(error)
    limit.clearQueue()
    throw error
  }
}

function reportOf(edit: TableEdit | undefined): EditReport | undefined {
  return edit && { usage: edit.usage, isFallback: 'failure' in edit }
}

function loadGate({ context }: EditingSetup): Promise<ExpressionGate> {
  return loadExpressionGate(DIALECTS[chooseDialect(context)])
}

async function editOne(plan: PlanContext, context: EditContext): Promise<TableEdit | undefined> {
  return isEditable(plan) ? editTable(editSubject(plan), context) : undefined
}

/** A snapshot keeps every column as stored. */
function isEditable(plan: PlanContext): boolean {
  return plan.subject.kind !== 'snapshot' && editableColumns(editSubject(plan)).length > 0
}

function withEdit(item: GenerateItem, edit: TableEdit | undefined): EditedItem {
  if (!edit) return item
  return 'edit' in edit ? { ...item, edit: edit.edit } : { ...item, notes: [failureWarning(edit.failure)] }
}

import type { PlanEdit, Usage, Warning } from '@stagecraft/spec'
import type { CheckedEdit } from '../plan/checked-edit.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import { acceptEdit } from './check-edit.ts'
import { editWarnings, partWarning } from './edit-warnings.ts'
import { type Budget, converse, type Failure } from './converse.ts'
import type { ExpressionGate } from './expression-gate.ts'
import { firstPrompt, type Prompt } from './prompt.ts'
import { judgeRepair, type UsableEdit } from './judge-answer.ts'
import type { DecidedLlm } from './settings.ts'
import { createTask, editableColumns, type EditSubject } from './task.ts'
import { addUsage, NO_USAGE } from './usage.ts'
import { finalName } from './check-names.ts'

/** The result of a backend for a table, with its cost, which a failed call has too. */
export type TableEdit = {
  readonly usage: Usage
  /** True if a cache gave all the answers. */
  readonly isCached: boolean
  /** Warnings about the parts of the answers that were not used. */
  readonly warnings: readonly Warning[]
} & ({ readonly edit: CheckedEdit } | { readonly failure: Failure })

export interface EditContext extends Omit<Budget, 'deadline' | 'spent'> {
  /** Undefined if expressions are not allowed. */
  readonly gate: ExpressionGate | undefined
}

/** The results of the conversations about the parts of a table, in order. */
interface Progress extends UsableEdit {
  readonly usage: Usage
  readonly hits: number
  readonly warnings: readonly Warning[]
  readonly failures: readonly Failure[]
}

const NOTHING: Progress = {
  description: null,
  columns: [],
  dropped: [],
  usage: NO_USAGE,
  hits: 0,
  warnings: [],
  failures: [],
}

/**
 * Asks a backend about all columns of a table, in as many conversations as needed. The rules decide a part that
 * failed, unless all parts failed.
 */
export async function editTable(subject: EditSubject, context: EditContext): Promise<TableEdit> {
  const deadline = context.clock.now() + context.llm.deadlineSeconds * 1000
  let progress = NOTHING
  for (const asked of batches(subject, context.llm)) {
    progress = await editPart(asked, progress, { subject, context, deadline })
    if (progress.failures.length > 0 && context.llm.onFailure === 'error') break
  }
  const { columns, description, failures, hits, usage, warnings } = progress
  const [failure] = failures
  const isCached = hits > 0 && hits === usage.attempts
  const isNothing = columns.length === 0 && description === null
  if (failure && (isNothing || context.llm.onFailure === 'error')) {
    return { usage, isCached, warnings: [], failure }
  }
  const { edit, warnings: strays } = withoutStrays(progress, subject)
  return {
    usage,
    isCached,
    warnings: [...warnings, ...strays],
    edit: acceptEdit(edit, { subject, gate: context.gate }),
  }
}

interface PartSetup {
  readonly subject: EditSubject
  readonly context: EditContext
  readonly deadline: number
}

async function editPart(
  asked: readonly StagedColumn[],
  progress: Progress,
  { context, deadline, subject }: PartSetup,
): Promise<Progress> {
  const { gate, llm } = context
  const { allowExpressions, redactNames } = llm
  const input = { subject, asked, before: progress.columns, redactNames, gate, allowExpressions }
  const read = (text: string, before: UsableEdit | undefined) => judgeRepair(text, input, before)
  const prompt = firstPrompt(createTask(subject, asked, llm))
  const outcome = await converse(prompt, read, { ...context, deadline, spent: progress.usage })
  const counted = {
    ...progress,
    usage: addUsage(progress.usage, outcome.usage),
    hits: progress.hits + outcome.hits,
  }
  if ('failure' in outcome) {
    const warnings = [...progress.warnings, partWarning(asked, outcome.failure)]
    return { ...counted, warnings, failures: [...progress.failures, outcome.failure] }
  }
  const { value, violations } = outcome
  return {
    ...counted,
    description: progress.description ?? value.description,
    columns: [...progress.columns, ...value.columns],
    dropped: [...progress.dropped, ...value.dropped],
    warnings: [...progress.warnings, ...editWarnings(violations, subject)],
  }
}

/** Returns the first prompt for each part of a table. */
export function promptsFor(subject: EditSubject, llm: DecidedLlm): readonly Prompt[] {
  return batches(subject, llm).map((asked) => firstPrompt(createTask(subject, asked, llm)))
}

function batches(subject: EditSubject, { columnsPerCall }: DecidedLlm): readonly (readonly StagedColumn[])[] {
  const columns = editableColumns(subject)
  const count = Math.ceil(columns.length / columnsPerCall)
  return Array.from({ length: count }, (_, index) =>
    columns.slice(index * columnsPerCall, (index + 1) * columnsPerCall),
  )
}

/** An edit without the descriptions that mention a missing column. */
interface StrayResult {
  readonly edit: PlanEdit
  readonly warnings: readonly Warning[]
}

/** Drops descriptions that mention a rejected column name, because readers would not find it. */
export function withoutStrays(
  { columns, description, dropped }: UsableEdit,
  subject: EditSubject,
): StrayResult {
  const there = new Set(
    subject.columns.flatMap((staged) => [staged.column?.name.toLowerCase(), finalName(staged, columns)]),
  )
  const strays = dropped.filter((name) => !there.has(name))
  const isStray = (text: string | null): boolean =>
    strays.some((name) => text !== null && mentions(text, name))
  const lost = columns.filter((edit) => isStray(edit.description))
  const violations = [...(isStray(description) ? [{}] : []), ...lost.map(({ ordinal }) => ({ ordinal }))]
  return {
    edit: {
      description: isStray(description) ? null : description,
      columns: columns.map((edit) => (lost.includes(edit) ? { ...edit, description: null } : edit)),
    },
    warnings: editWarnings(
      violations.map((place) => ({
        ...place,
        code: 'COLUMN_NOT_THERE',
        expected: 'only names that columns have',
      })),
      subject,
    ),
  }
}

/**
 * Returns true if a text mentions a column. A single word may be an ordinary word of the sentence; in
 * backticks or with an underscore, it is a name.
 */
function mentions(text: string, name: string): boolean {
  const places = text.toLowerCase().split(/([a-z0-9_]+)/)
  return places.some(
    (place, index) => place === name && (name.includes('_') || places[index - 1]?.endsWith('`')),
  )
}

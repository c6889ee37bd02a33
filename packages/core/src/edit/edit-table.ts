import type { ColumnEdit, Usage } from '@stagecraft/spec'
import type { CheckedEdit } from '../plan/checked-edit.ts'
import type { StagedColumn } from '../plan/staged-column.ts'
import { acceptEdit, checkEdit } from './check-edit.ts'
import { type Budget, converse, type Failure } from './converse.ts'
import type { ExpressionGate } from './expression-gate.ts'
import { firstPrompt, type Prompt } from './prompt.ts'
import { readEdit } from './read-edit.ts'
import type { DecidedEditing } from './settings.ts'
import { createTask, editableColumns, type EditSubject } from './task.ts'
import { addUsage, NO_USAGE } from './usage.ts'

/** What a backend made of a table, and what that cost either way. */
export type TableEdit = { readonly usage: Usage } & (
  | { readonly edit: CheckedEdit }
  | { readonly failure: Failure }
)

export interface EditContext extends Omit<Budget, 'deadline' | 'spent'> {
  /** Present where expressions are allowed. */
  readonly gate: ExpressionGate | undefined
}

/** Asks a backend about all columns of a table, in as many conversations as they need. */
export async function editTable(subject: EditSubject, context: EditContext): Promise<TableEdit> {
  const { clock, editing } = context
  const deadline = clock.now() + editing.deadlineSeconds * 1000
  const columns: ColumnEdit[] = []
  let description: string | null = null
  let usage = NO_USAGE
  for (const asked of batches(subject, editing)) {
    const input = { subject, asked, before: columns, redactNames: editing.redactNames, gate: context.gate }
    const read = (text: string) => {
      const edit = readEdit(text, editing)
      if (!('columns' in edit)) return edit
      const violations = checkEdit(edit, input)
      return violations.length > 0 ? violations : { value: edit }
    }
    const prompt = firstPrompt(createTask(subject, asked, editing))
    const outcome = await converse(prompt, read, { ...context, deadline, spent: usage })
    usage = addUsage(usage, outcome.usage)
    if ('failure' in outcome) return { usage, failure: outcome.failure }
    description ??= outcome.value.description
    columns.push(...outcome.value.columns)
  }
  return { usage, edit: acceptEdit(description, columns, subject) }
}

/** What would be sent first for each part of a table. */
export function promptsFor(subject: EditSubject, editing: DecidedEditing): readonly Prompt[] {
  return batches(subject, editing).map((asked) => firstPrompt(createTask(subject, asked, editing)))
}

function batches(
  subject: EditSubject,
  { columnsPerCall }: DecidedEditing,
): readonly (readonly StagedColumn[])[] {
  const columns = editableColumns(subject)
  const count = Math.ceil(columns.length / columnsPerCall)
  return Array.from({ length: count }, (_, index) =>
    columns.slice(index * columnsPerCall, (index + 1) * columnsPerCall),
  )
}

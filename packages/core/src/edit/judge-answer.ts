import type { ColumnEdit } from '@stagecraft/spec'
import { judgeEdit } from './check-edit.ts'
import type { CheckInput } from './check-input.ts'
import type { Reading } from './converse.ts'
import { readEdit, type ReadOptions } from './read-edit.ts'

/** The usable part of the answers to one question. */
export interface UsableEdit {
  readonly description: string | null
  readonly columns: readonly ColumnEdit[]
  /** Names proposed for columns whose edit is not usable. */
  readonly dropped: readonly string[]
}

export interface JudgeInput extends CheckInput, ReadOptions {}

/**
 * Reads an answer and keeps the usable parts. An answer without a usable part is wrong. If most columns are
 * wrong, the backend is asked about them again; if only a few are, the rules decide them.
 */
export function judgeAnswer(text: string, input: JudgeInput): Reading<UsableEdit> {
  const read = readEdit(text, input)
  if (!('edit' in read)) return { violations: read }
  const judged = judgeEdit(read.edit, input)
  const violations = [...read.violations, ...judged.violations]
  const value = {
    description: judged.description,
    columns: judged.columns.filter(saysSomething),
    dropped: judged.dropped,
  }
  const useful = value.columns.length
  if (violations.length > 0 && useful === 0 && value.description === null) return { violations }
  const refused = new Set([...read.violations.flatMap(({ ordinal }) => ordinal ?? []), ...judged.refused])
  const wrong = refused.size + read.unplaced + judged.unplaced
  return { value, violations, isWorthAsking: wrong > useful }
}

/** Reads the answer to a repair turn: columns that were valid before stay unchanged. */
export function judgeRepair(
  text: string,
  input: JudgeInput,
  before: UsableEdit | undefined,
): Reading<UsableEdit> {
  if (before === undefined) return judgeAnswer(text, input)
  const read = readEdit(text, input)
  if (!('edit' in read)) return { violations: read }
  const settled = new Set(before.columns.map(({ ordinal }) => ordinal))
  const columns = read.edit.columns.filter(({ ordinal }) => !settled.has(ordinal))
  const open = { ...input, before: [...input.before, ...before.columns] }
  const judged = judgeEdit({ ...read.edit, columns }, open)
  return {
    value: {
      description: before.description ?? judged.description,
      columns: [...before.columns, ...judged.columns.filter(saysSomething)],
      dropped: [...before.dropped, ...judged.dropped],
    },
    violations: [...read.violations, ...judged.violations],
    isWorthAsking: false,
  }
}

function saysSomething({ ordinal: _, tests, ...said }: ColumnEdit): boolean {
  return tests.length > 0 || Object.values(said).some((value) => value !== null && value !== undefined)
}

import { createTwoFilesPatch } from 'diff'
import type { FileConflict, PlannedFile, ProjectPlan } from './plan-types.ts'

/** Returns true if a plan changes a file. */
export function isChange({ after, before }: Pick<PlannedFile, 'after' | 'before'>): boolean {
  return after !== before
}

/** The number of files by action. */
export interface PlanCounts {
  readonly create: number
  readonly update: number
  readonly merge: number
  readonly remove: number
  readonly conflict: number
  /** Files of a person, left unchanged. */
  readonly foreign: number
  readonly unchanged: number
}

/** Counts the files of a plan by action. */
export function countFiles({ files }: Pick<ProjectPlan, 'files'>): PlanCounts {
  const count = (action: PlannedFile['action'], changes: boolean): number =>
    files.filter((file) => file.action === action && isChange(file) === changes).length
  return {
    create: count('create', true),
    update: count('update', true),
    merge: count('merge', true),
    remove: count('orphan', true),
    conflict: files.filter(({ action }) => action === 'conflict').length,
    foreign: count('foreign', false),
    unchanged: count('unchanged', false),
  }
}

/** Describes a conflict. */
export function describeConflict(conflict: FileConflict): string {
  if (conflict.kind === 'column') return describeColumnConflict(conflict)
  if (conflict.kind === 'addition') {
    const { column, line, obstacle, wanted } = conflict
    return `line ${line}: ${column} is a new column (${oneLine(wanted)}), and ${obstacle} keeps it from being added; add it by hand, or leave it out with --conflict ours`
  }
  if (conflict.kind === 'lines') return `line ${conflict.line}: changed by hand and by the generator`
  if (conflict.kind === 'yaml') {
    const remedy = conflict.reason.includes(';') ? '' : '; edit it by hand, and plan again'
    return `line ${conflict.line}: ${conflict.reason}${remedy}`
  }
  if (conflict.kind === 'markers')
    return `line ${conflict.line}: conflict markers of an earlier merge; keep ${conflict.keep}, remove the markers, and plan again`
  if (conflict.kind === 'source') {
    const { declared, path, source, stored, table } = conflict
    return `${path} declares ${source}.${table} as ${declared}, and this table is ${stored}; name its source differently in stagecraft.yml (sources: … name:), or correct the declaration`
  }
  const { model, path } = conflict
  return `${model} is the name of ${path}; choose another name in stagecraft.yml (sources: … tables: … model:)`
}

function describeColumnConflict(conflict: Extract<FileConflict, { readonly kind: 'column' }>): string {
  const { base, column, reason, wanted = '' } = conflict
  const present = oneLine(conflict.present)
  if (reason === 'removed_but_changed')
    return `column ${column} is gone from the table, and was changed by hand: ${present}`
  return `column ${column}: by hand ${present}, generated before ${oneLine(base)}, now ${oneLine(wanted)}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** A file before and after a change; undefined where there is none. */
export type ChangedFile = Pick<PlannedFile, 'path' | 'before' | 'after'> &
  Partial<Pick<PlannedFile, 'marked'>>

/**
 * Returns a unified diff as git prints it. A file in conflict is compared with its merged text, with markers around
 * both sides of conflicts.
 */
export function patchOf({ after: planned, before, marked, path }: ChangedFile): string {
  const after = marked ?? planned
  const names = [
    before === undefined ? '/dev/null' : `a/${path}`,
    after === undefined ? '/dev/null' : `b/${path}`,
  ] as const
  return createTwoFilesPatch(...names, before ?? '', after ?? '')
    .split('\n')
    .slice(1)
    .join('\n')
}

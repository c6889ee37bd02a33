import type { FileChange } from '../apply/write-changes.ts'
import { LOCK_FILE, printLock } from '../lock/lock.ts'
import { isChange } from './describe-plan.ts'
import type { ProjectPlan } from './plan-types.ts'

export interface PlannedChangesOptions {
  /** The present lock; undefined without one. */
  readonly lockText: string | undefined
  /**
   * The `.gitattributes` beside it, for a project in a git repository.
   * @default the project is in none
   */
  readonly attributes?: { readonly text: string | undefined }
}

/** The file that tells git how to merge. */
export const ATTRIBUTES_FILE = '.gitattributes'

const MERGE_RULE = `${LOCK_FILE} merge=union\n`

/**
 * Returns the writes of applying a plan, with the lock last. Files in conflict stay unchanged. The first lock adds a
 * rule that makes git merge locks line by line.
 */
export function plannedChanges(
  plan: Pick<ProjectPlan, 'files' | 'lock'>,
  { attributes, lockText }: PlannedChangesOptions,
): readonly FileChange[] {
  const files = plan.files.filter((file) => isChange(file) && file.action !== 'conflict')
  if (lockText === undefined && plan.lock.size === 0) return files
  const lock = { path: LOCK_FILE, before: lockText, after: printLock(plan.lock) }
  return [...files, ...(attributes && lockText === undefined ? mergeRule(attributes.text) : []), lock]
}

function mergeRule(before: string | undefined): readonly FileChange[] {
  if (before?.includes(LOCK_FILE)) return []
  const newline = before === undefined || before.endsWith('\n') ? '' : '\n'
  return [{ path: ATTRIBUTES_FILE, before, after: `${before ?? ''}${newline}${MERGE_RULE}` }]
}

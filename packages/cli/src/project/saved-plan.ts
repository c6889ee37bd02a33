import { hashText, plannedChanges } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import type { MadePlan } from './make-plan.ts'
import { type SavedTables, saveTables } from './saved-tables.ts'

/** A change in a saved plan. */
export interface SavedChange {
  readonly path: string
  /** The SHA-256 of the expected text; null for no file. */
  readonly before: string | null
  /** The text to write; null to remove the file. */
  readonly after: string | null
}

/** A saved plan, to be applied as it was approved. */
export interface SavedPlan {
  readonly stagecraftPlan: 1
  readonly changes: readonly SavedChange[]
  /** Files in conflict, which are left unchanged. */
  readonly conflicts: readonly string[]
  /** The tables of the plan. @default none, for a plan of an earlier version */
  readonly tables?: SavedTables
}

/** Prints a plan with the texts to write. The lock comes last. */
export function printSavedPlan({ items, plan }: MadePlan, lockText: string | undefined): string {
  const changes = plannedChanges(plan, { lockText })
  const saved: SavedPlan = {
    stagecraftPlan: 1,
    changes: changes.map(({ after, before, path }) => ({
      path,
      before: before === undefined ? null : hashText(before),
      after: after ?? null,
    })),
    conflicts: plan.files.filter(({ action }) => action === 'conflict').map(({ path }) => path),
    tables: saveTables(items),
  }
  return `${JSON.stringify(saved, null, 2)}\n`
}

/** @throws {StagecraftError} INVALID_REQUEST for anything but a saved plan. */
export function parseSavedPlan(text: string, file: string): SavedPlan {
  try {
    const plan = JSON.parse(text) as Partial<SavedPlan>
    const changes = plan.changes ?? []
    const isPlan = plan.stagecraftPlan === 1 && Array.isArray(plan.conflicts) && changes.every(isSavedChange)
    if (isPlan) return { ...plan, stagecraftPlan: 1, changes, conflicts: plan.conflicts ?? [] }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const expected = 'a plan written by stagecraft plan --out'
  throw StagecraftError.invalid(
    { path: file, expected, received: 'something else' },
    { suggestion: 'plan again' },
  )
}

/** Refuses paths outside the project, because anyone may have written the plan file. */
function isSavedChange({ after, before, path }: SavedChange): boolean {
  const isText = (value: unknown): boolean => value === null || typeof value === 'string'
  const isInside = typeof path === 'string' && !path.startsWith('/') && !path.split(/[/\\]/).includes('..')
  return isText(after) && isText(before) && isInside
}

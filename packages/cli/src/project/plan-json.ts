import { patchOf } from '@stagecraft/dbt'
import type { MadePlan } from './make-plan.ts'

/** Returns a plan as JSON for programs. New members may be added. */
export function planJson({ plan, warnings }: MadePlan): object {
  return {
    files: plan.files.map((file) => ({
      path: file.path,
      action: file.action,
      changes: file.after !== file.before,
      covers: file.covers,
      conflicts: file.conflicts,
      notes: file.notes,
      ...(file.edited && { edited: file.edited }),
      ...((file.after !== file.before || file.marked !== undefined) && { diff: patchOf(file) }),
    })),
    tables: plan.tables,
    ...(plan.excluded?.length && { excluded: plan.excluded }),
    warnings: [...warnings, ...plan.warnings],
  }
}

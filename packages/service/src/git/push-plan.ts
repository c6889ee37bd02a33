import {
  countFiles,
  describeConflict,
  isChange,
  patchOf,
  type PlannedFile,
  type ProjectPlan,
} from '@stagecraft/dbt'
import type { PushPlan } from '@stagecraft/spec/api'

/** The maximum number of files and tables in a stored plan. */
const LISTED = 1000
/** The maximum length of one diff and of all together, in characters. */
const LONGEST_DIFF = 20_000
const ALL_DIFFS = 400_000
/** Below this remaining length, no further diffs are made. */
const SHORTEST_ROOM = 1000
/** The maximum length of two texts to compare. The time grows with the square of the differences. */
const LONGEST_COMPARED = 200_000

type Described = Pick<ProjectPlan, 'files' | 'tables' | 'warnings'>

/**
 * Returns the plan to store with a push. Changed files come first, and files beyond the limits are only counted.
 *
 * @param folder The folder of the dbt project; undefined without one.
 */
export function toPushPlan(plan: Described, folder: string | undefined): PushPlan {
  const isListed = (file: PlannedFile): boolean => isChange(file) || file.action !== 'unchanged'
  const files = [...plan.files.filter(isListed), ...plan.files.filter((file) => !isListed(file))]
  const tables = plan.tables.filter(({ drifts, state }) => drifts.length > 0 || state !== 'known')
  let room = ALL_DIFFS
  const diffOf = (file: PlannedFile): Pick<PushPlan['files'][number], 'diff' | 'isDiffCut'> => {
    const { after = '', before = '', marked = '' } = file
    if (!isChange(file) && file.marked === undefined) return {}
    if (room < SHORTEST_ROOM || after.length + before.length + marked.length > LONGEST_COMPARED)
      return { isDiffCut: true }
    const diff = patchOf(file)
    const shown = cut(diff, Math.min(LONGEST_DIFF, room))
    room -= shown.length
    return { ...(shown !== '' && { diff: shown }), ...(shown !== diff && { isDiffCut: true }) }
  }
  return {
    ...(folder !== undefined && { folder }),
    counts: countFiles(plan),
    files: files.slice(0, LISTED).map((file) => ({
      path: file.path,
      action: file.action,
      changes: isChange(file),
      covers: [...file.covers].slice(0, LISTED),
      conflicts: file.conflicts.map(describeConflict),
      notes: [...file.notes],
      ...diffOf(file),
    })),
    tables: tables.slice(0, LISTED).map(({ drifts, model, source, state }) => ({
      source,
      model,
      state,
      drifts: drifts.map(({ after, before, column, kind }) => ({
        kind,
        ...(column !== undefined && { column }),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      })),
    })),
    warnings: plan.warnings.slice(0, LISTED).map(({ code, message }) => ({ code, message })),
    ...(files.length > LISTED && { unlisted: files.length - LISTED }),
  }
}

/** Truncates between two lines. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, text.lastIndexOf('\n', most) + 1)
}

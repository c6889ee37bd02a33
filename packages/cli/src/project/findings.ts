import { stripVTControlCharacters } from 'node:util'
import type { PlannedFile, PlannedTable, ProjectPlan } from '@stagecraft/dbt'
import { describeConflict, describeDrift, isChange } from './print-plan.ts'

/** The kinds of finding of a check, with what each means and whether it fails the check. */
export const FINDINGS = {
  drift: { fails: true, text: 'A table is not what it was when its model was generated.' },
  new: { fails: true, text: 'A table has no model yet.' },
  gone: { fails: true, text: 'A table is gone from the warehouse.' },
  outdated: {
    fails: true,
    text: 'A file is out of date after a change of the configuration or the version.',
  },
  conflict: { fails: true, text: 'A file cannot be brought up to date by itself.' },
  edited: { fails: false, text: 'A person changed a generated file, which is fine.' },
  foreign: { fails: false, text: 'A person wrote the model of a table.' },
} as const

export type FindingKind = keyof typeof FINDINGS

/** One thing that a check found. */
export interface Finding {
  readonly kind: FindingKind
  /** The file it is about, relative to the project. */
  readonly path: string
  readonly message: string
}

/** Returns what a plan says about a project, in the order of tables and files. */
export function findingsOf(plan: ProjectPlan): readonly Finding[] {
  const modelFiles = new Map(
    plan.files
      .filter(({ path }) => path.endsWith('.sql'))
      .flatMap(({ covers, path }) => covers.map((name) => [name, path] as const)),
  )
  const tables = plan.tables.flatMap((table) =>
    tableFindings(table, modelFiles.get(table.model) ?? 'stagecraft.lock'),
  )
  const told = new Set(tables.map(({ path }) => path))
  return [...tables, ...plan.files.flatMap((file) => fileFindings(file, told))]
}

function tableFindings({ drifts, source, state }: PlannedTable, path: string): readonly Finding[] {
  if (state === 'gone') return [{ kind: 'gone', path, message: `${source} is gone from the warehouse` }]
  return drifts.map((drift) => ({
    kind: 'drift',
    path,
    message: `${source}: ${stripVTControlCharacters(describeDrift(drift))}`,
  }))
}

/** The first and the last line of a conflict that git or `--conflict=markers` left. */
const MARKERS = /^<{7} [^]*^>{7} /m

/** A file whose table changed is told by its table. */
function fileFindings(file: PlannedFile, told: ReadonlySet<string>): readonly Finding[] {
  const { action, before, conflicts, notes, path } = file
  if (before !== undefined && MARKERS.test(before))
    return [{ kind: 'conflict', path, message: 'has conflict markers; settle them by hand' }]
  if (action === 'conflict')
    return conflicts.map((conflict) => ({ kind: 'conflict', path, message: describeConflict(conflict) }))
  if (action === 'foreign') return [{ kind: 'foreign', path, message: notes[0] ?? 'a person wrote it' }]
  if (action === 'create')
    return [{ kind: 'new', path, message: 'does not exist yet; stagecraft apply writes it' }]
  if (isChange(file) && action !== 'orphan' && !told.has(path))
    return [
      {
        kind: 'outdated',
        path,
        message: 'is out of date; stagecraft apply updates it',
      },
    ]
  return notes.includes('edited by hand') ? [{ kind: 'edited', path, message: 'edited by hand' }] : []
}

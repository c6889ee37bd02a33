import { stripVTControlCharacters } from 'node:util'
import { compareFindings, type Finding, fingerprintOf, type Report } from '@stagecraft/analysis/report'
import {
  describeConflict,
  isChange,
  type PlannedFile,
  type PlannedTable,
  type ProjectPlan,
} from '@stagecraft/dbt'
import { describeDrift } from './print-plan.ts'

/** What `check` finds, with what each kind means and what to do about it. */
const KINDS = {
  drift: {
    severity: 'error',
    summary: 'a table is not what it was when its model was generated',
    help: '`stagecraft plan` shows what follows, and `stagecraft apply` does it',
  },
  new: { severity: 'error', summary: 'a table has no model yet', help: '`stagecraft apply` writes it' },
  gone: {
    severity: 'error',
    summary: 'a table is gone from the warehouse',
    help: '`stagecraft apply --prune` removes its model, and `stagecraft forget` stops following it',
  },
  outdated: {
    severity: 'error',
    summary: 'a file is out of date after a change of the configuration or the version',
    help: '`stagecraft apply` updates it',
  },
  conflict: {
    severity: 'error',
    summary: 'a file cannot be brought up to date by itself',
    help: 'edit the file, or settle it with `stagecraft apply --conflict markers`, `ours` or `theirs`',
  },
  edited: {
    severity: 'info',
    summary: 'a person changed a generated file, which is fine',
    help: 'nothing to do',
  },
  foreign: {
    severity: 'info',
    summary: 'a person wrote the model of a table',
    help: '`stagecraft adopt` makes it follow its table',
  },
} as const

type Kind = keyof typeof KINDS

/** One thing that a check found. */
interface Difference {
  readonly kind: Kind
  /** The file it is about, relative to the project. */
  readonly path: string
  /** 1-based. @default 1 */
  readonly line?: number
  readonly message: string
  /** The remedy. @default that of the kind */
  readonly help?: string
}

/** Kinds that only a look at the warehouse finds. */
const ONLINE: ReadonlySet<string> = new Set(['drift', 'gone'] satisfies readonly Kind[])

export interface ReportOptions {
  readonly offline: boolean
  /** The plan that removes nothing; a file that only the other one changes is one for `--prune`. @default the same plan */
  readonly unpruned?: ProjectPlan
}

/** Returns what a plan says about a project, in the form in which lint reports. */
export function reportOf(plan: ProjectPlan, { offline, unpruned = plan }: ReportOptions): Report {
  const twins = new Map<string, number>()
  return {
    findings: differencesOf(plan, unpruned)
      .map((one) => toFinding(one, twins))
      .toSorted(compareFindings),
    suppressed: [],
    unchecked: [],
    rules: Object.entries(KINDS)
      .filter(([id]) => !offline || !ONLINE.has(id))
      .map(([id, { severity, summary }]) => ({ id, name: id, group: 'check', severity, summary })),
    fileCount: plan.files.length,
    modelCount: plan.tables.length,
  }
}

function toFinding(difference: Difference, twins: Map<string, number>): Finding {
  const { kind, line = 1, message, path } = difference
  const { severity } = KINDS[kind]
  const help = difference.help ?? KINDS[kind].help
  const subject = { kind: 'file', name: path, detail: message.replace(/^line \d+: /, '') } as const
  const place = { line, column: 1 }
  const fingerprint = fingerprintOf(kind, subject, twins)
  const text = { message, help, path, start: place, end: place, line: '' }
  return { rule: kind, name: kind, group: 'check', severity, ...text, subject, fingerprint }
}

function differencesOf(plan: ProjectPlan, unpruned: ProjectPlan): readonly Difference[] {
  const modelFiles = new Map(
    plan.files
      .filter(({ path }) => path.endsWith('.sql'))
      .flatMap(({ covers, path }) => covers.map((name) => [name, path] as const)),
  )
  const open = new Set(unpruned.files.filter(({ action }) => action === 'conflict').map(({ path }) => path))
  // what only pruning brings into conflict is told as what is gone
  const kept = new Set(
    plan.files.filter(({ action, path }) => action === 'conflict' && !open.has(path)).map(({ path }) => path),
  )
  const tables = plan.tables.flatMap((table) => {
    const path = modelFiles.get(table.model) ?? 'stagecraft.lock'
    return tableFindings(table, path, kept.has(path) ? BY_HAND : PRUNE)
  })
  const told = new Set(tables.map(({ path }) => path))
  const stays = new Set(unpruned.files.filter((file) => !isChange(file)).map(({ path }) => path))
  const files = plan.files
    .filter(({ path }) => !(kept.has(path) && told.has(path)))
    .flatMap((file) => fileFindings(file, told))
    .map((one) =>
      one.kind === 'conflict' && kept.has(one.path)
        ? { ...one, kind: 'outdated' as const, help: BY_HAND }
        : one,
    )
  return [
    ...tables,
    ...files.map((one) => (one.kind === 'outdated' && stays.has(one.path) ? { ...one, help: PRUNE } : one)),
  ]
}

function tableFindings(
  { drifts, source, state }: PlannedTable,
  path: string,
  remedy: string,
): readonly Difference[] {
  if (state === 'gone') return [{ kind: 'gone', path, message: `${source} is gone from the warehouse` }]
  return drifts.map((drift) => ({
    kind: 'drift',
    path,
    ...(drift.kind === 'removed' && { help: remedy }),
    message: `${source}: ${stripVTControlCharacters(describeDrift(drift))}`,
  }))
}

/** The remedy for what stays unless it is asked for. */
const PRUNE = '`stagecraft apply --prune` takes it out; without `--prune` it stays'

/** The remedy for what a person changed, so that pruning asks how to settle it. */
const BY_HAND =
  'take it out of the file by hand, or run `stagecraft apply --prune --conflict theirs`; without `--prune` it stays'

/** The first and the last line of a conflict that git or `--conflict=markers` left. */
const MARKERS = /^<{7} [^]*^>{7} /m

/** A file whose table changed is reported by its table. */
function fileFindings(file: PlannedFile, told: ReadonlySet<string>): readonly Difference[] {
  const { action, before, conflicts, notes, path } = file
  if (before !== undefined && MARKERS.test(before))
    return [{ kind: 'conflict', path, message: 'has conflict markers; settle them by hand' }]
  if (action === 'conflict')
    return conflicts.map((conflict) => ({
      kind: 'conflict',
      path,
      ...('line' in conflict && { line: conflict.line }),
      message: describeConflict(conflict),
    }))
  if (action === 'foreign') return [{ kind: 'foreign', path, message: notes[0] ?? 'a person wrote it' }]
  if (action === 'create') return [{ kind: 'new', path, message: 'does not exist yet' }]
  if (isChange(file) && action !== 'orphan' && !told.has(path))
    return [
      {
        kind: 'outdated',
        path,
        message: 'is out of date',
      },
    ]
  return notes.includes('edited by hand') ? [{ kind: 'edited', path, message: 'edited by hand' }] : []
}

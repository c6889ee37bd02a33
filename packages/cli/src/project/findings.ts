import { stripVTControlCharacters } from 'node:util'
import { compareFindings, type Finding, fingerprintOf, type Report } from '@stagecraft/analysis/report'
import {
  describeConflict,
  describeParts,
  EDITED_BY_HAND,
  findMarkers,
  type HandEdit,
  isChange,
  type Lock,
  type PlannedFile,
  type PlannedTable,
  type ProjectPlan,
} from '@stagecraft/dbt'
import { type Kind, KINDS } from './check-kinds.ts'
import { isForHand } from './for-hand.ts'
import { describeDrift } from './print-plan.ts'

/** A finding of a check. */
interface Difference {
  readonly kind: Kind
  /** The file it is about, relative to the project. */
  readonly path: string
  /** 1-based. @default 1 */
  readonly line?: number
  readonly message: string
  /** The identity of the finding in its file, also in baselines. @default the message */
  readonly detail?: string
  /** The remedy. @default that of the kind */
  readonly help?: string
}

/** Kinds that need the warehouse. */
const ONLINE: ReadonlySet<string> = new Set(['drift', 'gone'] satisfies readonly Kind[])

export interface ReportOptions {
  readonly offline: boolean
  /** The plan without removals. A file that only the other plan changes needs `--prune`. @default the same plan */
  readonly unpruned?: ProjectPlan
  /** The lock before the plan, which names the files that were written. @default none were */
  readonly lock?: Lock
}

/** Returns the findings of a plan in the form of lint. */
export function reportOf(
  plan: ProjectPlan,
  { lock = new Map(), offline, unpruned = plan }: ReportOptions,
): Report {
  const twins = new Map<string, number>()
  return {
    findings: differencesOf(plan, unpruned, pathsOf(lock))
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

function pathsOf(lock: Lock): ReadonlySet<string> {
  return new Set(
    [...lock.values()].flatMap(({ model, properties, source }) =>
      [model, properties, source].flatMap((part) => part?.path ?? []),
    ),
  )
}

function toFinding(difference: Difference, twins: Map<string, number>): Finding {
  const { kind, line = 1, message, path } = difference
  const { severity } = KINDS[kind]
  const help = difference.help ?? KINDS[kind].help
  const detail = difference.detail ?? message.replace(/^line \d+: /, '')
  const subject = { kind: 'file', name: path, detail } as const
  const place = { line, column: 1 }
  const fingerprint = fingerprintOf(kind, subject, twins)
  const text = { message, help, path, start: place, end: place, line: '' }
  return { rule: kind, name: kind, group: 'check', severity, ...text, subject, fingerprint }
}

function differencesOf(
  plan: ProjectPlan,
  unpruned: ProjectPlan,
  written: ReadonlySet<string>,
): readonly Difference[] {
  const modelFiles = new Map(
    plan.files
      .filter(({ path }) => path.endsWith('.sql'))
      .flatMap(({ covers, path }) => covers.map((name) => [name, path] as const)),
  )
  const open = new Set(unpruned.files.filter(({ action }) => action === 'conflict').map(({ path }) => path))
  // A conflict that only pruning causes is reported as a deletion.
  const kept = new Set(
    plan.files.filter(({ action, path }) => action === 'conflict' && !open.has(path)).map(({ path }) => path),
  )
  const staying = new Map(
    plan.files.flatMap(({ after, notes, path }) => (after === undefined ? [] : [[path, notes[0]] as const])),
  )
  const tables = plan.tables.flatMap((table) => {
    const path = modelFiles.get(table.model) ?? 'stagecraft.lock'
    return tableFindings(table, path, { remedy: kept.has(path) ? BY_HAND : PRUNE, stays: staying.get(path) })
  })
  const reported = new Set(tables.map(({ path }) => path))
  const moving = new Set(
    plan.files
      .filter(({ action, path }) => action === 'create' && !isCreated(path, unpruned))
      .map(({ path }) => path),
  )
  const stays = new Set(unpruned.files.filter((file) => !isChange(file)).map(({ path }) => path))
  const files = plan.files
    .filter(({ path }) => !(kept.has(path) && reported.has(path)))
    .flatMap((file) =>
      moving.has(file.path) ? toMove(file.path) : fileFindings(file, { reported, written }),
    )
    .map((one) =>
      one.kind === 'conflict' && kept.has(one.path)
        ? { ...one, kind: 'outdated' as const, help: BY_HAND }
        : one,
    )
  return [
    ...tables,
    ...(plan.excluded ?? []).map(({ path, source }): Difference => ({
      kind: 'excluded',
      path,
      message: `${source} is excluded by stagecraft.yml, so its model no longer follows it`,
    })),
    ...plan.tables.flatMap(undeclaredFindings),
    ...unpruned.stillRead.flatMap(readFindings),
    ...files.flatMap((one) => {
      if (one.kind !== 'outdated') return one
      return stays.has(one.path) ? toPrune(one, plan, unpruned) : [one, ...stillThere(one, plan, unpruned)]
    }),
  ]
}

function isCreated(path: string, { files }: ProjectPlan): boolean {
  return files.some((file) => file.path === path && file.action === 'create')
}

function toMove(path: string): Difference {
  return { kind: 'outdated', path, message: 'the configuration places a file here', help: MOVE }
}

interface Remedies {
  /** The remedy for deleted columns. */
  readonly remedy: string
  /** The reason why pruning does not remove the model; undefined if it does. */
  readonly stays: string | undefined
}

function tableFindings(
  { drifts, source, state }: PlannedTable,
  path: string,
  { remedy, stays }: Remedies,
): readonly Difference[] {
  if (state === 'gone') {
    const message = `${source} no longer exists in the warehouse`
    const help = `${stays}: delete it by hand, or \`stagecraft forget\` stops following its table`
    return [{ kind: 'gone', path, message, ...(stays !== undefined && { help }) }]
  }
  return drifts.map((drift) => ({
    kind: 'drift',
    path,
    ...(drift.kind === 'removed' && { help: remedy }),
    message: `${source}: ${stripVTControlCharacters(describeDrift(drift))}`,
  }))
}

/** dbt cannot parse the project then. */
function undeclaredFindings({ source, undeclared }: PlannedTable): readonly Difference[] {
  return (undeclared?.places ?? []).map(({ line, path }) => ({
    kind: 'undeclared',
    path,
    line,
    message: `source('${undeclared?.source}', '${undeclared?.table}') is read here, but no file declares it`,
    help: `\`stagecraft apply ${source}\` adds its entry again`,
  }))
}

/** A file with entries that the warehouse lacks. They stay, like the rest of the file. */
function toPrune(difference: Difference, plan: ProjectPlan, unpruned: ProjectPlan): Difference {
  return stillThere(difference, plan, unpruned)[0] ?? { ...difference, help: PRUNE }
}

/** Returns a finding for the entries that the warehouse lacks and that stay without pruning; none if there are none. */
function stillThere(
  { message, path }: Difference,
  plan: ProjectPlan,
  unpruned: ProjectPlan,
): readonly Difference[] {
  const [pruned, kept] = [plan, unpruned].map(({ files }) => files.find((file) => file.path === path)?.after)
  const names = pruned === undefined || kept === undefined ? [] : namesGone(kept, pruned)
  if (message !== OUTDATED.message || names.length === 0) return []
  const [are, them, they] = names.length === 1 ? ['is', 'it', 'it stays'] : ['are', 'them', 'they stay']
  return [
    {
      kind: 'outdated',
      path,
      message: `the file still has ${names.join(', ')}, which ${are} missing from the warehouse`,
      help: `\`stagecraft apply --prune\` removes ${them} from the file; without \`--prune\` ${they}`,
    },
  ]
}

/** Matches names of YAML entries and of columns in a SELECT list, one on each line. */
const NAMES = /^\s*(?:- name: (?<entry>.+?)|(?:.* as )?(?<column>"?[\w$]+"?),?)\s*$/gm

/** Returns the names that only one of two texts has. */
function namesGone(before: string, after: string): readonly string[] {
  const namesOf = (text: string): ReadonlySet<string> =>
    new Set([...text.matchAll(NAMES)].map(({ groups }) => groups?.['entry'] ?? groups?.['column'] ?? ''))
  const left = namesOf(after)
  return [...namesOf(before)].filter((name) => !left.has(name))
}

/** Returns a finding for each place, so that each is marked. */
function readFindings({ message, places }: ProjectPlan['stillRead'][number]): readonly Difference[] {
  return places.map(({ line, path }) => ({ kind: 'read', path, line, message }))
}

/** The remedy for entries that stay by default. */
const PRUNE = '`stagecraft apply --prune` removes it; without `--prune` it stays'

/** The remedy for files whose place in the configuration changed. */
const MOVE = '`stagecraft apply --prune` moves it here; without `--prune` it stays where it is'

/** The remedy for files of a person that Stagecraft only reads. */
const READ_ONLY = 'nothing to do: its entries are used as they are'

/** The remedy for edited entries, so that pruning asks how to resolve them. */
const BY_HAND =
  'remove it from the file by hand, or run `stagecraft apply --prune --conflict theirs`; without `--prune` it stays'

const MARKED = {
  message: 'the file has conflict markers; resolve them by hand',
  detail: 'has conflict markers; resolve them by hand',
  help: 'keep one side of each conflict, and remove the markers',
} as const
const ADDED = {
  message: 'the file has conflict markers around additions of both sides',
  help: '`stagecraft apply` keeps both',
} as const
const BOTH = 'keep the entries of both sides, and remove the markers'
const FOR_HAND =
  'correct it by hand, then `stagecraft apply`; until then, `stagecraft apply --partial` writes the other files'
const DELETED = { message: 'the file was deleted', detail: 'was deleted' } as const
const MISSING = { message: 'the file does not exist yet', detail: 'does not exist yet' } as const
const EDITED = { message: 'the file was edited by hand', detail: 'edited by hand' } as const
const EDITS_STAY = '`stagecraft apply` keeps what you wrote'
const OUTDATED = { message: 'the file is out of date', detail: 'is out of date' } as const

/** A file whose table changed is reported by its table. */
function fileFindings(
  file: PlannedFile,
  { reported, written }: { readonly reported: ReadonlySet<string>; readonly written: ReadonlySet<string> },
): readonly Difference[] {
  const { action, before, conflicts, notes, path } = file
  const markers = findMarkers(before)
  if (markers !== undefined) {
    const remedy = action !== 'conflict' ? ADDED : path.endsWith('.sql') ? {} : { help: BOTH }
    return [{ kind: 'conflict', path, line: markers, ...MARKED, ...remedy }]
  }
  if (action === 'conflict')
    return conflicts.map((conflict) => ({
      kind: 'conflict',
      path,
      ...('line' in conflict && { line: conflict.line }),
      message: describeConflict(conflict),
      ...(isForHand(conflict) && { help: FOR_HAND }),
    }))
  if (action === 'foreign') {
    const help = path.endsWith('.sql') ? {} : { help: READ_ONLY }
    return [{ kind: 'foreign', path, message: notes[0] ?? 'a person wrote it', ...help }]
  }
  if (action === 'create')
    return [written.has(path) ? { kind: 'deleted', path, ...DELETED } : { kind: 'new', path, ...MISSING }]
  const stays = isChange(file) ? { help: EDITS_STAY } : {}
  const edited: readonly Difference[] = [
    ...(notes.includes(EDITED_BY_HAND) ? [{ kind: 'edited', path, ...EDITED, ...stays } as const] : []),
    ...(file.edited ?? []).flatMap((edit) =>
      editFindings(edit, path).map((one): Difference => ({ ...one, ...stays })),
    ),
  ]
  if (isChange(file) && action !== 'orphan' && !reported.has(path))
    return [{ kind: 'outdated', path, ...OUTDATED }, ...edited]
  return edited
}

/** An entry may have both: what a person added, and what they changed or removed. */
function editFindings({ added, changed, covers, line }: HandEdit, path: string): readonly Difference[] {
  const edits = changed.length > 0 ? [{ kind: 'edited', parts: changed } as const] : []
  const additions = added.length > 0 ? [{ kind: 'added', parts: added } as const] : []
  return [...edits, ...additions].map(({ kind, parts }) => ({
    kind,
    path,
    line,
    message: `${covers}: ${kind} by hand: ${describeParts(parts)}`,
    detail: `${covers}: ${kind} by hand`,
  }))
}

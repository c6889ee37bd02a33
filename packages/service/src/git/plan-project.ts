import {
  ATTRIBUTES_FILE,
  describeConflict,
  LOCK_FILE,
  type PlannedFile,
  type ProjectPlan,
} from '@stagecraft/dbt'
import { branchTree } from './branch-tree.ts'
import { entryDefinition, modelOf } from './dbt-definitions.ts'
import { pathProblem } from './file-path.ts'
import { findDbtProject } from './find-dbt-project.ts'
import type { Clash } from './find-clashes.ts'
import { keepWhole, type WholeChange } from './keep-whole.ts'
import { type ChangeOptions, definedTwice, type PlannedChange, refuseBlocked } from './plan-change.ts'
import { byteFile, type CommitPlan, isFile, planCommit } from './plan-commit.ts'
import { planRemovals, type Removal } from './plan-removals.ts'
import type { KeptFile, PlannedProject, ProjectPlanner, SkippedPart } from './push-options.ts'
import { toPushPlan } from './push-plan.ts'
import type { Git } from './run-git.ts'
import { readTree, type TreeEntry } from './tree-entries.ts'

interface ProjectOptions extends Pick<ChangeOptions, 'gone' | 'lastPushed'> {
  readonly files: readonly { readonly path: string }[]
  readonly commit: string
  readonly planner: ProjectPlanner
}

/**
 * Plans the change of a branch with a dbt project. Files in conflict are not changed, models that others need are kept, and
 * tables that other files define are left out.
 *
 * @returns Undefined for a branch without a dbt project.
 * @throws {StagecraftError} INVALID_REQUEST if nothing can be written, or if several projects are possible.
 */
export async function planProjectChange(
  git: Git,
  options: ProjectOptions,
): Promise<PlannedChange | undefined> {
  const { commit, files, gone, planner } = options
  const entries = await readTree(git, commit)
  const paths = files.length > 0 ? files.map(({ path }) => path) : (gone?.paths ?? [])
  const folder = findDbtProject(entries.keys(), { folder: planner.folder, files: paths })
  if (folder === undefined) return undefined
  const project = { folder, tree: await branchTree(git, { entries, folder }) }
  const keep = new Map<string, KeptFile>()
  const without = new Map<string, SkippedPart>()
  let clashes: readonly Clash[] = []
  for (;;) {
    const exceptions = { keep: new Set(keep.keys()), without: new Set(without.keys()) }
    const planned = inRepository(await planner.plan(project, exceptions), folder)
    if (clashes.length > 0 && planned.plan.tables.every(({ state }) => state === 'gone'))
      throw definedTwice(clashes)
    const draft = await draftCommit(git, planned, { ...options, entries })
    const whole = await keepWhole(git, { commit, ...draft, of: 'all' })
    if ('clashes' in whole) {
      ;({ clashes } = whole)
      for (const [key, part] of partsOf(clashes, planned.plan)) without.set(key, part)
      if (exceptions.without.size === without.size) throw definedTwice(clashes)
      continue
    }
    const needed = neededKeys(planned, whole).filter(([key]) => !keep.has(key))
    for (const [key, kept] of needed) keep.set(key, kept)
    if (needed.length === 0) return toChange(planned, { draft, whole, entries, folder, keep, without })
  }
}

/** Returns the plan with paths of the repository. */
function inRepository(planned: PlannedProject, folder: string): PlannedProject {
  if (folder === '') return planned
  const place = <One extends { readonly path: string }>(one: One): One => ({
    ...one,
    path: `${folder}/${one.path}`,
  })
  const { changes, gone, plan, pushed, skipped } = planned
  return {
    ...planned,
    plan: { ...plan, files: plan.files.map(place) },
    changes: changes.map(place),
    gone: new Map([...gone].map(([key, path]) => [key, `${folder}/${path}`])),
    pushed: new Map([...pushed].map(([path, hash]) => [`${folder}/${path}`, hash])),
    skipped: skipped.map((part) => ({ ...place(part), definedIn: `${folder}/${part.definedIn}` })),
  }
}

interface Draft {
  readonly bytes: CommitPlan['writes'][number]['file'][]
  readonly plan: CommitPlan
  readonly removals: readonly Removal[]
  /** Files without a unit that people changed. */
  readonly kept: readonly KeptFile[]
}

/** @throws {StagecraftError} INVALID_REQUEST for a path that cannot be written. */
async function draftCommit(
  git: Git,
  { changes, left, plan }: PlannedProject,
  { entries, lastPushed }: Pick<ProjectOptions, 'lastPushed'> & { readonly entries: Entries },
): Promise<Draft> {
  const bytes = plan.files.flatMap((file) => {
    const text = textAfter(file)
    return text === undefined ? [] : [byteFile(file.path, text)]
  })
  const commitPlan = planCommit(bytes, entries)
  const inTheWay = commitPlan.foreign.filter(({ entry }) => !isFile(entry)).map(({ path }) => path)
  const unsafe = changes.filter(({ path }) => pathProblem(path) !== undefined).map(({ path }) => path)
  refuseBlocked([...commitPlan.blocked, ...inTheWay, ...unsafe])
  const removed = plan.files.filter((file) => file.before !== undefined && textAfter(file) === undefined)
  const ledger = await planRemovals(git, entries, { gone: { paths: left, of: 'all' }, lastPushed })
  const removals = removed.flatMap(({ path }) => {
    const entry = entries.get(path)
    return entry ? [{ path, id: entry.id }] : []
  })
  return { bytes, plan: commitPlan, removals: [...removals, ...ledger.removals], kept: ledger.kept }
}

type Entries = ReadonlyMap<string, TreeEntry>

function textAfter({ action, after, before }: PlannedFile): string | undefined {
  return action === 'conflict' ? before : after
}

/** Finds the tables with clashing parts. */
function partsOf(clashes: readonly Clash[], { lock }: ProjectPlan): ReadonlyMap<string, SkippedPart> {
  const keys = new Map(
    [...lock].flatMap(([key, { model, source }]) => [
      [modelOf(model.path), key] as const,
      [`the snapshot ${model.name}`, key] as const,
      [`the properties of ${model.name}`, key] as const,
      ...(source
        ? [[entryDefinition({ list: 'sources', source: source.name, name: source.table }), key] as const]
        : []),
    ]),
  )
  return new Map(
    clashes.flatMap(({ definedIn, name, path }) => {
      const key = keys.get(name)
      const model = key === undefined ? undefined : lock.get(key)?.model
      const part = { path, name: model ? modelOf(model.path) : name, definedIn, outcome: 'refused' } as const
      return key === undefined ? [] : [[key, part] as const]
    }),
  )
}

/** Returns the removed tables whose models other files refer to. */
function neededKeys(
  { gone }: PlannedProject,
  { kept }: WholeChange,
): readonly (readonly [key: string, kept: KeptFile])[] {
  const needed = new Map(kept.map((file) => [file.path, file]))
  return [...gone].flatMap(([key, path]) => {
    const file = needed.get(path)
    return file ? [[key, file] as const] : []
  })
}

interface Decided {
  readonly draft: Draft
  readonly whole: WholeChange
  readonly entries: Entries
  readonly folder: string
  readonly keep: ReadonlyMap<string, KeptFile>
  readonly without: ReadonlyMap<string, SkippedPart>
}

function toChange(planned: PlannedProject, decided: Decided): PlannedChange {
  const { changes, gone, plan, pushed, skipped } = planned
  const { draft, entries, folder, keep, whole, without } = decided
  const ends = new Set(
    [LOCK_FILE, ATTRIBUTES_FILE].map((name) => (folder === '' ? name : `${folder}/${name}`)),
  )
  const around = changes.flatMap(({ after, path }) =>
    ends.has(path) && after !== undefined ? [byteFile(path, after)] : [],
  )
  const models = new Set(gone.values())
  const kept = plan.files
    .filter(({ action, after, before, path }) => action === 'orphan' && after === before && models.has(path))
    .map(({ path, readers }): KeptFile => ({ path, reason: readers ? 'needed' : 'changed' }))
  const files = plan.files.map((file) => finalFile(file, whole))
  return {
    writes: [...whole.writes, ...planCommit(around, entries).writes],
    removed: whole.removed,
    kept: [...draft.kept, ...kept, ...keep.values(), ...whole.kept],
    skipped: [...without.values(), ...skipped, ...skippedBy(plan)],
    conflicts: plan.files
      .filter(({ action }) => action === 'conflict')
      .map(({ conflicts, path }) => ({ path, reasons: conflicts.map(describeConflict) })),
    pushed,
    plan: toPushPlan({ ...plan, files }, folder),
  }
}

/** Returns the final content of the file. */
function finalFile(file: PlannedFile, { amended, kept }: WholeChange): PlannedFile {
  const other = amended.find(({ path }) => path === file.path)
  if (other) return { ...file, after: other.content.toString() }
  if (kept.some(({ path }) => path === file.path))
    return { ...file, after: file.before, notes: [...file.notes, 'other files of the branch need it'] }
  return file
}

/** Models of people that replace generated ones, and names that are taken. */
function skippedBy({ files }: ProjectPlan): readonly SkippedPart[] {
  return files.flatMap(({ action, conflicts, path }): readonly SkippedPart[] => {
    const name = modelOf(path)
    if (action === 'foreign' && path.endsWith('.sql'))
      return [{ path, name, definedIn: path, outcome: 'used' }]
    return conflicts.flatMap((conflict) =>
      conflict.kind === 'name' || conflict.kind === 'source'
        ? [{ path, name, definedIn: conflict.path, outcome: 'refused' }]
        : [],
    )
  })
}

import { DIALECTS } from '@stagecraft/core'
import { type EditedItem, withNewNames } from '@stagecraft/core/run'
import {
  ATTRIBUTES_FILE,
  EDITED_BY_HAND,
  generatedBy,
  hashText,
  type Lock,
  type LockedTable,
  LOCK_FILE,
  lockKey,
  readLock,
  plannedChanges,
  type PlanInput,
  type PlannedFile,
  planProject,
  type ProjectIndex,
  type ProjectPlan,
  readProject,
  readText,
  toProject,
} from '@stagecraft/dbt'
import { type Config, DIALECT_NAMES, type DialectName, type GeneratedFile } from '@stagecraft/spec'
import { commonDialect } from '../generations/newest-files.ts'
import { withoutFiles } from '../git/branch-tree.ts'
import { modelOf } from '../git/dbt-definitions.ts'
import { isYaml, readReferences } from '../git/dbt-references.ts'
import type {
  BranchProject,
  PlanExceptions,
  PlannedUnits,
  ProjectPlanner,
  SkippedPart,
} from '../git/push-options.ts'
import type { ProjectSettings } from '../projects/project-settings.ts'
import { type LedgerInProject, ownProperties, readLedger, seedLock } from './ledger-in-project.ts'
import type { Snapshot } from './push-snapshot.ts'

export interface PlannerOptions {
  readonly snapshot: Snapshot
  readonly settings: ProjectSettings
  /** True if only some units are selected. */
  readonly isPartial: boolean
  /** By path in the repository, the SHA-256 of every content that was pushed from here. */
  readonly pushed: ReadonlyMap<string, readonly string[]>
  /** The files of all units, as generated without regard to a dbt project. */
  readonly files: readonly Pick<GeneratedFile, 'path'>[]
  /** Replaces edits of people in generated models. */
  readonly overwrite: boolean
  /** The folder of the dbt project in the repository. @default the one that is found */
  readonly folder: string | undefined
  /** Reads the earlier generated SQL of a unit, newest first. */
  readonly readGenerated: (unitId: string) => Promise<readonly string[]>
}

/** Plans the files of units in the dbt project of a branch, like `stagecraft apply --prune` on disk. */
export function planUnits(options: PlannerOptions): ProjectPlanner {
  return {
    folder: options.folder,
    plan: async (project, exceptions) => {
      const site = await openSite(project, options)
      const drafted = await planSite(site, exceptions, new Set())
      const replaced = options.overwrite ? changedByOthers(drafted.plan, site) : new Set<string>()
      const { plan, skipped } = replaced.size === 0 ? drafted : await planSite(site, exceptions, replaced)
      return {
        plan,
        changes: plannedChanges(plan, site),
        gone: new Map([...site.gone].map(([key, { model }]) => [key, model.path])),
        pushed: generatedHashes(plan, site),
        left: options.isPartial ? [] : leftBehind(plan, site),
        skipped,
        units: unitsOf(drafted.plan, site),
      }
    },
  }
}

/** All inputs of a plan for a branch. */
interface Site extends PlannerOptions {
  readonly project: BranchProject
  readonly lock: Lock
  readonly lockText: string | undefined
  readonly attributes: { readonly text: string | undefined }
  readonly ledger: LedgerInProject
  /** All units, by the keys of their tables. */
  readonly items: ReadonlyMap<string, EditedItem>
  /** Ids of units, by the keys of their tables. */
  readonly unitIds: ReadonlyMap<string, string>
  /** The keys of selected units. */
  readonly asked: ReadonlySet<string>
  /** Lines of pushed tables that no longer have a unit. */
  readonly gone: Lock
  /** Files to plan as if they did not exist. */
  readonly rewritten: ReadonlySet<string>
  readonly dialect: DialectName
  readonly setup: PlanInput['setup']
}

async function openSite(project: BranchProject, options: PlannerOptions): Promise<Site> {
  const { folder, tree } = project
  const { isPartial, pushed, settings, snapshot } = options
  const place = folder === '' ? LOCK_FILE : `${folder}/${LOCK_FILE}`
  const read = await readLock(tree, place)
  const before: Lock = read?.lock ?? new Map()
  const ledger = await readLedger(tree, pushed, folder)
  const known = snapshot.units.map((unit) => ({ ...unit, item: asLocked(unit.item, before) }))
  const items = new Map(known.map(({ item }) => [lockKey(item), item]))
  const asked = new Set(known.filter(({ isAsked }) => isAsked).map(({ item }) => lockKey(item)))
  const dialect = settings.dialect ?? commonDialect(snapshot.units) ?? dialectOf(before)
  const setup = { dialect, config: configIn(settings.config ?? {}, folder) }
  const rewritten = ownProperties(ledger, before)
  const lock = seedLock(before, items, { ledger, rewritten, setup })
  const tables = [...asked].flatMap((key) => items.get(key)?.table ?? [])
  const gone = new Map<string, LockedTable>()
  for (const [key, line] of lock) {
    const { database, schema } = line.item.table
    const isOfSource = tables.some((table) => schema === table.schema && database === table.database)
    if (items.has(key) || (isPartial && !isOfSource)) continue
    if (await isPushed(line, ledger, tree)) gone.set(key, line)
  }
  return {
    ...options,
    project,
    lock,
    lockText: read?.text,
    attributes: { text: await readText(tree, ATTRIBUTES_FILE) },
    ledger,
    items,
    unitIds: new Map(known.map(({ item, unitId }) => [lockKey(item), unitId])),
    asked,
    gone,
    rewritten,
    dialect,
    setup,
  }
}

/** Returns true if the model was pushed from here, or if it was deleted and its entry in a pushed file remains. */
async function isPushed(
  { model, source }: LockedTable,
  { hashes }: LedgerInProject,
  tree: BranchProject['tree'],
): Promise<boolean> {
  if (hashes.has(model.path)) return true
  return source !== undefined && hashes.has(source.path) && (await readText(tree, model.path)) === undefined
}

/** Spells the source of a table like the lock, if they name the same table. */
function asLocked(item: EditedItem, lock: Lock): EditedItem {
  if (lock.has(lockKey(item))) return item
  const { request, table } = item
  const line = [...lock.values()].find(
    ({ item: other }) =>
      other.request.type === request.type &&
      other.table.name === table.name &&
      other.table.schema === table.schema &&
      other.table.database === table.database,
  )
  return line ? { ...item, request: { ...request, source: line.item.request.source } } : item
}

/** A project without units prints nothing new, so any dialect works. */
function dialectOf(lock: Lock): DialectName {
  const [line] = lock.values()
  return line?.dialect ?? DIALECT_NAMES[0]
}

/** Removes the folder of the project from folder paths that start at the root of the repository. */
function configIn(config: Config, folder: string): Config {
  const { naming } = withNewNames(config)
  if (folder === '' || !naming) return config
  const inside = (path: string): string =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
  const { sourcesFolder, types } = naming
  const moved = Object.entries(types ?? {}).map(([type, names]) => [
    type,
    { ...names, ...(names.folder !== undefined && { folder: inside(names.folder) }) },
  ])
  return {
    ...config,
    naming: {
      ...naming,
      ...(types && { types: Object.fromEntries(moved) as typeof types }),
      ...(sourcesFolder !== undefined && { sourcesFolder: inside(sourcesFolder) }),
    },
  }
}

interface SitePlan {
  readonly plan: ProjectPlan
  readonly skipped: readonly SkippedPart[]
}

/** Plans without the tables whose source cannot be declared, because a model without its source breaks the project. */
async function planSite(
  site: Site,
  { keep, without }: PlanExceptions,
  replaced: ReadonlySet<string>,
): Promise<SitePlan> {
  const hidden = new Set([...site.rewritten, ...replaced])
  const tree = withoutFiles(site.project.tree, hidden)
  const syntax = DIALECTS[site.dialect]
  const index = await readProject(tree, { dialect: syntax })
  const readBase = baseReader(site)
  const skipped = new Map<string, SkippedPart>()
  for (;;) {
    const left = [...site.items].filter(
      ([key]) => site.asked.has(key) && !without.has(key) && !skipped.has(key),
    )
    const plan = await planProject({
      items: left.map(([, item]) => item),
      gone: [...site.gone.keys()].filter((key) => !keep.has(key)),
      beside: {
        items: [...site.items].flatMap(([key, item]) => (site.asked.has(key) ? [] : item)),
        gone: [],
      },
      lock: site.lock,
      project: index,
      setup: { ...site.setup, project: toProject(index, { isOwn: () => true }) },
      syntax,
      ...generatedBy(site.setup),
      read: (path) => readText(tree, path),
      readBase,
      settlement: site.overwrite ? 'theirs' : undefined,
      prune: true,
    })
    const homeless = withoutSource(plan, index)
    if (homeless.size === 0)
      return { plan: await asItStands(plan, hidden, site), skipped: [...skipped.values()] }
    for (const [key, part] of homeless) skipped.set(key, part)
  }
}

/** Finds an earlier generated text: in the branch if unchanged, otherwise in the generations of the unit. */
function baseReader({ ledger, lock, readGenerated, unitIds }: Site): PlanInput['readBase'] {
  const present = new Map([...ledger.untouched.values()].map((text) => [hashText(text), text]))
  const keys = new Map([...lock].map(([key, { model }]) => [model.sha256, key]))
  return async (sha256) => {
    const unitId = unitIds.get(keys.get(sha256) ?? '')
    const text = present.get(sha256)
    if (text !== undefined || unitId === undefined) return text
    return (await readGenerated(unitId)).find((one) => hashText(one) === sha256)
  }
}

/** Finds new models without a declared source, because the file that should declare it cannot be edited. */
function withoutSource(
  { files, lock }: ProjectPlan,
  { sources }: ProjectIndex,
): ReadonlyMap<string, SkippedPart> {
  const inConflict = files.filter(({ action, path }) => action === 'conflict' && isYaml(path))
  if (inConflict.length === 0) return new Map()
  const declared = new Set([
    ...sources.flatMap(({ name, tables }) => tables.map((table) => JSON.stringify([name, table.name]))),
    ...files.flatMap(({ action, after, path }) =>
      action === 'conflict' || after === undefined ? [] : [...readReferences(path, after).declared],
    ),
  ])
  const keys = new Map([...lock].map(([key, { model }]) => [model.path, key]))
  return new Map(
    files.flatMap(({ action, after = '', path }) => {
      const reads = [...readReferences(path, after).sources]
      const key = keys.get(path)
      if (action !== 'create' || isYaml(path) || key === undefined) return []
      if (reads.every((source) => declared.has(source))) return []
      const definedIn = inConflict[0]?.path ?? path
      return [[key, { path, name: modelOf(path), definedIn, outcome: 'refused' }] as const]
    }),
  )
}

/** Compares files that were planned as missing with the existing ones. */
async function asItStands(plan: ProjectPlan, hidden: ReadonlySet<string>, site: Site): Promise<ProjectPlan> {
  const files = plan.files.map(async (file): Promise<PlannedFile> => {
    if (!hidden.has(file.path)) return file
    const before = await readText(site.project.tree, file.path)
    const action = before === file.after ? 'unchanged' : 'update'
    return { ...file, before, action, notes: [] }
  })
  return { ...plan, files: await Promise.all(files) }
}

/** Separates units with an edited or custom model from those with the generated one. */
function unitsOf({ files, lock }: ProjectPlan, site: Site): PlannedUnits {
  const { lock: before, project, snapshot, unitIds } = site
  const byPath = new Map([
    ...snapshot.paths.map(({ path, unitId }) => [inProject(path, project.folder), unitId] as const),
    ...[...before, ...lock].map(([key, { model }]) => [model.path, unitIds.get(key)] as const),
  ])
  const isEdited = ({ action, notes }: PlannedFile): boolean =>
    ['merge', 'conflict', 'foreign'].includes(action) || notes.includes(EDITED_BY_HAND)
  const present = files.filter(
    ({ before: text, path }) => text !== undefined && byPath.has(path) && !isYaml(path),
  )
  const groups = Map.groupBy(present, isEdited)
  const idsOf = (edited: boolean) => (groups.get(edited) ?? []).flatMap(({ path }) => byPath.get(path) ?? [])
  return { edited: idsOf(true), asGenerated: idsOf(false) }
}

/** Returns edited models, files at the paths of new models, and properties that cannot be edited. */
function changedByOthers({ files, generated }: ProjectPlan, site: Site): ReadonlySet<string> {
  const own = new Set(site.files.map(({ path }) => inProject(path, site.project.folder)))
  const texts = new Set(generated)
  const locked = new Map([...site.lock.values()].map(({ model }) => [model.path, model.sha256]))
  const isChanged = ({ action, before, path }: PlannedFile): boolean =>
    before !== undefined &&
    (isYaml(path)
      ? action === 'conflict'
      : action !== 'orphan' && !texts.has(before) && locked.get(path) !== hashText(before))
  return new Set(files.filter((file) => own.has(file.path) && isChanged(file)).map(({ path }) => path))
}

/** Returns a repository path relative to the project. A path outside the project is taken as relative already. */
function inProject(path: string, folder: string): string {
  return folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

/** Returns the hashes of generated files: of models even if people changed them, of properties only if unchanged. */
function generatedHashes({ files, generated, lock }: ProjectPlan, site: Site): ReadonlyMap<string, string> {
  const texts = new Set(generated)
  const models = [...lock].flatMap(([key, { model }]) =>
    site.asked.has(key) ? [[model.path, model.sha256] as const] : [],
  )
  const properties = files.flatMap(({ action, after, path }) =>
    action !== 'conflict' && isYaml(path) && after !== undefined && texts.has(after)
      ? [[path, hashText(after)] as const]
      : [],
  )
  return new Map([...models, ...properties])
}

/** Returns the repository paths of pushed files without a unit and without an entry in a lock. */
function leftBehind({ files, lock }: ProjectPlan, site: Site): readonly string[] {
  const { folder } = site.project
  const place = (path: string): string => (folder === '' ? path : `${folder}/${path}`)
  const generated = [...site.files, ...site.snapshot.paths].map(({ path }) => inProject(path, folder))
  const locked = [...site.lock.values(), ...lock.values()].flatMap(({ model, properties, source }) => [
    model.path,
    ...(properties ? [properties.path] : []),
    ...(source ? [source.path] : []),
  ])
  const alive = new Set([...generated, ...locked, ...files.map(({ path }) => path)].map(place))
  return [...site.pushed.keys()].filter((path) => !alive.has(path))
}

import { DIALECTS } from '@stagecraft/dialects'
import { compareText, type DialectName } from '@stagecraft/spec'
import { lockKey } from '../lock/lock.ts'
import { type ArrangedTables, arrangeTables } from './arrange-tables.ts'
import { arrangeFiles } from './arrange-files.ts'
import { arrangeEntries, settledFiles, yamlPaths } from './arrange-yaml.ts'
import type { ArrangedEntry } from './arranged-entry.ts'
import { type FollowedInput, followRenames } from './follow-renames.ts'
import { followEntries, stayingEntries } from './follow-entries.ts'
import { formerKeyWarnings } from './follow-settings.ts'
import { findMarkers } from '../merge/conflict-markers.ts'
import { type Present, presentFiles } from './present-files.ts'
import { generatedTexts, isGenerated, keptTexts, withKeptBases } from './kept-texts.ts'
import { modelNames, type PlannedSql } from './model-names.ts'
import { nextLock } from './next-lock.ts'
import type { PlanInput } from './plan-input.ts'
import { planModels } from './plan-models.ts'
import type { ExcludedTable, PlannedFile, PlannedTable, ProjectPlan } from './plan-types.ts'
import { type PlannedYaml, planYaml, type YamlInput } from './plan-yaml.ts'
import { undeclaredReaders } from './project-view.ts'
import { readParents } from './read-parents.ts'
import { unreadFolders } from './unread-folders.ts'
import { findLost, formerReferences, lostWarnings } from './still-read.ts'
import { changedValues } from './changed-values.ts'
import { retypedConversions } from './retyped-conversions.ts'
import {
  handEditKept,
  removedColumns,
  renamedTables,
  takenNames,
  unselectedColumns,
} from './warn-of-columns.ts'

/**
 * Plans the changes of generation in a project file by file, so a file that a person changed or that cannot be edited
 * does not block others. It writes nothing.
 *
 * @throws {StagecraftError} The error of the first faulty table.
 */
export async function planProject(given: PlanInput): Promise<ProjectPlan> {
  const input = await readParents(followRenames(given))
  const dialect: DialectName = input.setup.dialect
  const { arranged, entries, files, wanted, yaml } = await planFiles(input)
  const lost = await findLost(arranged, files, input)
  const legible = files.filter(({ after }) => findMarkers(after) === undefined)
  return {
    files,
    tables: describeTables(arranged, input),
    excluded: excludedTables(input),
    lock: nextLock({ arranged, entries, files, lost }, input),
    generated: generatedTexts({ arranged, entries, files, wanted }),
    models: selectedModels(arranged),
    stillRead: lost.found,
    warnings: [
      ...arranged.wanted.warnings,
      ...unreadFolders(arranged),
      ...renamedTables(arranged),
      ...arranged.tables.flatMap(({ isSelected, key }) =>
        isSelected ? formerKeyWarnings(input.followed.former.get(key) ?? []) : [],
      ),
      ...removedColumns(arranged, files, input),
      ...lostWarnings(lost),
      ...unselectedColumns(arranged, legible, { entries, yaml: wanted, syntax: input.syntax }),
      ...takenNames(arranged, legible, input.syntax),
      ...changedValues(arranged, legible, DIALECTS[dialect]),
      ...retypedConversions(arranged, DIALECTS[dialect]),
      ...yaml.flatMap(({ kept }) => kept.map(handEditKept)),
    ],
  }
}

interface PlannedFiles {
  readonly arranged: ArrangedTables
  readonly entries: readonly ArrangedEntry[]
  readonly files: readonly PlannedFile[]
  readonly wanted: readonly YamlInput[]
  readonly yaml: readonly PlannedYaml[]
}

/** Plans the models and the properties. A model whose entry cannot follow it stays with its entry. */
async function planFiles(input: FollowedInput): Promise<PlannedFiles> {
  const { arranged, models, present: there } = await planSql(input)
  const { files: sql } = models
  const removed = removedModels(sql)
  const followed = await followEntries(arranged, input, {
    present: there,
    removed,
    setup: arranged.setup,
    isGenerated: (path) => isGenerated(there.text(path), input, arranged.base.yaml.get(path)?.content),
  })
  if (followed.stuck.size > 0) return planFiles(withStuck(input, followed.stuck))
  const { done, entries: followedEntries, present } = followed
  const names = modelNames(arranged, models, input.syntax)
  const settled = settledFiles(arranged, input, { names, present })
  const pruned = prunedKeys(arranged, input, sql)
  const places = { followed: followedEntries, names, present, pruned, removed, settled, sql }
  const entries = await withKeptBases(arrangeEntries(arranged, input, places), arranged, input)
  const kept = await keptTexts(
    input,
    entries.map(({ path }) => present.text(path)),
  )
  const wanted = arrangeFiles(entries, arranged, { present, kept })
  const yaml = wanted.map(planYaml)
  const open = new Set(yaml.flatMap(({ file }) => (file.action === 'conflict' ? file.path : [])))
  const staying = stayingEntries(arranged, { done, open, known: input.stuck })
  if (staying) return planFiles(withStuck(input, staying.stuck, staying.pinned))
  const properties = [...yaml.map(({ file }) => file), ...settledPlans(arranged, settled)]
  const files = [...sql, ...followed.onDisk(properties)].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const referred = formerReferences(arranged, files, removed)
  if (referred.size > 0) return planFiles(withStuck(input, referred))
  return { arranged, entries, files, wanted, yaml }
}

interface PlannedModels {
  readonly arranged: ArrangedTables
  readonly present: Present
  readonly models: PlannedSql
}

/** Plans the models. An edited model that cannot move with its edits stays at its place. */
async function planSql(input: FollowedInput): Promise<PlannedModels> {
  const { arranged, known } = await readTables(input)
  const wantedPaths = arranged.tables.map(({ model }) => model.path)
  const texts = new Map([
    ...known,
    ...(await readAll(input, [...wantedPaths, ...yamlPaths(arranged, input)])),
  ])
  const models = await planModels(arranged, input, texts)
  const stuck = stuckKeys(arranged, models.files, input.stuck)
  if (stuck.size > 0) return planSql(withStuck(input, stuck))
  return { arranged, models, present: presentFiles(texts, arranged.wanted) }
}

function stuckKeys(
  { tables }: ArrangedTables,
  models: readonly PlannedFile[],
  known: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const open = new Set(models.flatMap(({ action, path }) => (action === 'conflict' ? path : [])))
  const moving = tables.filter(({ locked, model }) => locked && locked.model.path !== model.path)
  const stuck = moving.filter(({ key, model }) => open.has(model.path) && !known.has(key))
  return new Map(stuck.map(({ key }) => [key, 'manual changes conflict with the generated ones']))
}

function withStuck(
  input: FollowedInput,
  stuck: ReadonlyMap<string, string>,
  pinned: ReadonlySet<string> = new Set(),
): FollowedInput {
  return {
    ...input,
    stuck: new Map([...(input.stuck ?? []), ...stuck]),
    pinned: new Set([...(input.pinned ?? []), ...pinned]),
  }
}

/** Returns keys of deleted tables without models, whose entries are not needed any more. */
function prunedKeys(
  { gone }: ArrangedTables,
  { prune = false }: PlanInput,
  models: readonly PlannedFile[],
): ReadonlySet<string> {
  const stays = new Set(models.filter(({ after }) => after !== undefined).map(({ path }) => path))
  return new Set(
    prune ? gone.filter(({ locked }) => !stays.has(locked.model.path)).map(({ key }) => key) : [],
  )
}

/** Names of the models whose files the plan removes. */
function removedModels(models: readonly PlannedFile[]): ReadonlySet<string> {
  const removed = models.filter(({ after, before }) => before !== undefined && after === undefined)
  return new Set(removed.flatMap(({ covers }) => covers))
}

/** Returns up-to-date files of selected tables. */
function settledPlans(
  { tables, wanted }: ArrangedTables,
  settled: ReadonlySet<string>,
): readonly PlannedFile[] {
  const selected = tables.filter(({ isSelected }) => isSelected).map(({ wanted: { place } }) => place.paths)
  const paths = new Set(selected.flatMap(({ modelYaml, sourceYaml }) => [modelYaml, sourceYaml]))
  return [...settled]
    .filter((path) => paths.has(path))
    .map((path) => {
      const { content, covers = [] } = wanted.yaml.get(path) ?? {}
      return { path, action: 'unchanged', before: content, after: content, covers, conflicts: [], notes: [] }
    })
}

/** Chooses the models of tables from the project and the lock, and reads the texts of those in the lock. */
export async function readTables(input: FollowedInput): Promise<{
  readonly arranged: ArrangedTables
  readonly known: ReadonlyMap<string, string | undefined>
}> {
  const known = await readAll(input, lockedPaths(input))
  const models = new Set(input.project.models.map(({ path }) => path))
  const exists = (path: string): boolean => known.get(path) !== undefined || models.has(path)
  const isMissing = [...input.lock.values()].some(({ model }) => !exists(model.path))
  const readers = isMissing ? input.project.models.filter(({ reads }) => reads.length === 1) : []
  const texts = await readAll(
    input,
    readers.map(({ path }) => path),
  )
  const arranged = arrangeTables(input, { exists, text: (path) => texts.get(path) })
  return { arranged, known }
}

/** Returns paths of models in the lock whose tables were requested or deleted. */
function lockedPaths({ gone = [], items, lock }: PlanInput): readonly string[] {
  return [...items.map(lockKey), ...gone].flatMap((key) => lock.get(key)?.model.path ?? [])
}

/** Reads files, each once, by their paths. */
export async function readAll(
  input: PlanInput,
  paths: readonly string[],
): Promise<Map<string, string | undefined>> {
  const distinct = [...new Set(paths)]
  const texts = await Promise.all(distinct.map((path) => input.read(path)))
  return new Map(distinct.map((path, index) => [path, texts[index]]))
}

function describeTables(
  { gone, tables }: ArrangedTables,
  { excluded = [], project }: PlanInput,
): readonly PlannedTable[] {
  const there = tables
    .filter(({ isSelected }) => isSelected)
    .map(({ drifts, locked, model, wanted }): PlannedTable => {
      const places = locked && wanted.source ? undeclaredReaders(project, wanted.place) : []
      return {
        source: wanted.item.request.source,
        model: model.name,
        state: locked ? 'known' : 'new',
        drifts,
        ...(places.length > 0 && {
          undeclared: { source: wanted.place.source, table: wanted.place.table, places },
        }),
      }
    })
  const deleted = gone.filter(({ key }) => !excluded.includes(key))
  const missing = deleted.map(({ locked }): PlannedTable => ({
    source: locked.item.request.source,
    model: locked.model.name,
    state: 'gone',
    drifts: [],
  }))
  return [...there, ...missing].toSorted((a, b) => (a.source < b.source ? -1 : 1))
}

function excludedTables({ excluded = [], lock }: PlanInput): readonly ExcludedTable[] {
  return excluded
    .flatMap((key) => lock.get(key) ?? [])
    .map(({ item, model: { name, path } }) => ({ source: item.request.source, model: name, path }))
    .toSorted((a, b) => compareText(a.source, b.source))
}

function selectedModels({ tables, wanted }: ArrangedTables): ProjectPlan['models'] {
  const selected = new Set(
    tables.filter(({ isSelected }) => isSelected).map(({ wanted: { place } }) => place.model),
  )
  return wanted.models.filter(({ name }) => selected.has(name))
}

import { createRun } from '@stagecraft/core/run'
import { folderOf, stem } from '../tree/paths.ts'
import type { OwnerList } from '../yaml/yaml-edit.ts'
import type { ArrangedTable, ArrangedTables } from './arrange-tables.ts'
import { findFormer } from './former-entries.ts'
import type { PlanInput } from './plan-input.ts'
import type { Present } from './present-files.ts'

/** The entry of a model, and the name and file that it should have. */
export interface Following {
  readonly key: string
  readonly list: OwnerList
  readonly name: string
  readonly formerName: string
  readonly isRenamed: boolean
  readonly from: string
  readonly to: string
  /** True if it is only moved on request. */
  readonly waits: boolean
}

export interface EntryPlace {
  readonly present: Present
  /** Names of the models whose files the plan removes. */
  readonly removed: ReadonlySet<string>
  readonly setup: ArrangedTables['setup']
}

/** Returns the new name and file of a model's entry; undefined if both stay. */
export function followingOf(
  table: ArrangedTable,
  { pinned, project, prune = false, stuck }: PlanInput,
  { present, removed, setup }: EntryPlace,
): Following | undefined {
  const { isSelected, key, locked, model, wanted } = table
  if (!isSelected || model.owner !== 'ours' || !locked?.properties) return undefined
  const formerName = locked.model.name
  const isRenamed = formerName !== model.name
  // reading YAML is slow, and most entries stay
  if (!isRenamed && !mayMove(table)) return undefined
  const isFree = removed.has(formerName) || project.models.every(({ name }) => name !== formerName)
  // a person may have renamed the model, and its entry cannot follow
  if (isRenamed && (!isFree || stuck?.has(key))) return undefined
  if (!wanted.properties) return undefined
  const { found, path: from } = findFormer(locked, project, present)
  const wantedPath = wanted.place.paths.modelYaml
  const isTaken = [from, wantedPath].some((path) => present.entries(path).properties.has(model.name))
  if (!found || (isRenamed && isTaken)) return undefined
  const to = pinned?.has(key) ? from : fileOf(table, from, setup)
  if (!isRenamed && from === to) return undefined
  const waits = !isRenamed && !prune
  return { key, list: found.list, name: model.name, formerName, isRenamed, from, to, waits }
}

/** Returns true if the configuration wants an entry in another file than that of the lock, which no person chose. */
function mayMove({ locked, model, wanted }: ArrangedTable): boolean {
  const { byHand = false, path } = locked?.properties ?? {}
  return !byHand && !model.byHand && path !== wanted.place.paths.modelYaml
}

/** Returns the file of an entry. It stays in a file that a person chose. */
function fileOf(table: ArrangedTable, from: string, setup: ArrangedTables['setup']): string {
  const { locked, model, wanted } = table
  const { name: former, path: formerModel } = locked?.model ?? model
  const isOurs = locked?.properties?.path === from && folderOf(from) === folderOf(formerModel)
  if (!mayMove(table) || !isOurs) return from
  const isGone = folderOf(model.path) !== folderOf(from)
  // an earlier version did not record the choices of people
  const isGenerated = isGone || stem(from) === former || from === sharedFile(wanted, setup)
  return isGenerated ? wanted.place.paths.modelYaml : from
}

/** The file of a folder with the entries of all its models. */
function sharedFile(
  { item, place }: ArrangedTable['wanted'],
  setup: ArrangedTables['setup'],
): string | undefined {
  if (stem(place.paths.modelYaml) !== place.model) return place.paths.modelYaml
  const options = { ...item.request.options, yamlLayout: 'folder' as const }
  const [table] = createRun([{ ...item, request: { ...item.request, options } }], setup).tables
  return table?.place().paths.modelYaml
}

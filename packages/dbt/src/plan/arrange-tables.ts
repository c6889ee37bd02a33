import { createRun, type EditedItem, printItem, type TablePlace } from '@stagecraft/core/run'
import { DIALECTS } from '@stagecraft/dialects'
import type { Config, DialectName } from '@stagecraft/spec'
import { type Lock, lockKey, type LockedTable } from '../lock/lock.ts'
import { type ChosenModel, chooseModel } from './choose-models.ts'
import { type GeneratedTable, type GeneratedTables, generateTables } from './generated.ts'
import { configOfNow, configOfThen, type FollowedInput, formerName } from './follow-renames.ts'
import { keepNames, lockedItem } from './keep-names.ts'
import { isMovedModel } from './is-moved-model.ts'
import { overlayConfig, type TableToPlan } from './overlay-config.ts'
import { carryEdit } from './move-edit.ts'
import type { PlanInput } from './plan-input.ts'
import { findModelReaders, findSourceReaders, hasContract, type ReadingPlace } from './project-view.ts'
import { compareTables, type Drift, retainColumns, retainObservation } from './table-drift.ts'

/** A table of a plan. */
export interface ArrangedTable {
  readonly key: string
  /** True if it was requested; others share its files, and are only touched there. */
  readonly isSelected: boolean
  readonly locked: LockedTable | undefined
  readonly model: ChosenModel
  readonly wanted: GeneratedTable
  /** The output of today's rules for the former table; undefined for a new one. */
  readonly base: GeneratedTable | undefined
  readonly drifts: readonly Drift[]
  /** The stored name of the table in the lock, if it differs now. */
  readonly renamedFrom: string | undefined
  /** Renamed raw columns since the lock was written: current names by former name. */
  readonly renames: ReadonlyMap<string, string>
}

export interface ArrangedTables {
  readonly tables: readonly ArrangedTable[]
  /** Deleted tables, with the output of today's rules for their former state. */
  readonly gone: readonly {
    readonly key: string
    readonly locked: LockedTable
    readonly base: GeneratedTable | undefined
    /** Places that read its model, which is not removed therefore. */
    readonly readers: readonly ReadingPlace[]
    /** Places besides its model that read the table itself, so its entry is not removed. */
    readonly sourceReaders: readonly ReadingPlace[]
  }[]
  readonly wanted: GeneratedTables
  readonly base: GeneratedTables
  /** The settings of `wanted`. */
  readonly setup: PlanInput['setup']
}

/** The models in the project. */
interface PresentModels {
  readonly exists: (path: string) => boolean
  /** Returns the text of a model that may be a moved one; undefined for others. */
  readonly text: (path: string) => string | undefined
}

/** Generates for the requested tables together with those that share their files. */
export function arrangeTables(input: FollowedInput, models: PresentModels): ArrangedTables {
  const selected = new Map(input.items.map((item) => [lockKey(item), item]))
  const missing = (input.gone ?? []).flatMap((key) => {
    const locked = input.lock.get(key)
    return locked ? [{ key, locked }] : []
  })
  const siblings = siblingsOf(input, [...selected.values()])
  const asked = [...selected].map(([key, item]) => prepare(item, input.lock.get(key), input))
  const items = [...asked, ...siblings.map(({ item }) => item)]
  const before = [...selected.keys()]
    .flatMap((key) => input.lock.get(key) ?? [])
    .concat(
      siblings,
      missing.map(({ locked }) => locked),
    )
  const config = overlay(input, items, before)
  const places = placesOf(items, { ...input.setup, config })
  const chosen = chooseModels(input, places, models)
  const named = nameModels(config, input, places, chosen)
  const setup = { ...input.setup, config: configOfThen(named, input) }
  const base = isSame(items, before) ? undefined : generateTables(before.map(lockedItem), setup)
  const gone = missing.map((one) => ({ ...one, ...readersOf(one.locked, input.project, base) }))
  const unread = gone.filter(({ readers }) => readers.length === 0)
  const removed = new Set(input.prune ? unread.map(({ locked }) => locked.model.name) : [])
  const setupNow = withoutModels({ ...setup, config: configOfNow(named, input) }, removed)
  const kept = items.map((item) => keepNames(item, input.lock.get(lockKey(item)), base))
  const wanted = generateTables(kept, setupNow, base)
  const then = base ?? wanted
  const tables = items.flatMap((item): ArrangedTable | [] => {
    const key = lockKey(item)
    const [generated, model, locked, now] = [
      wanted.tables.get(key),
      chosen.get(key),
      input.lock.get(key),
      selected.get(key),
    ]
    if (!generated || !model) return []
    const former = formerName(key, locked)
    const renamedFrom = former === item.table.name ? undefined : former
    const drifts = driftsOf({ item, locked, now, renamedFrom })
    return {
      key,
      isSelected: now !== undefined,
      locked,
      model,
      wanted: generated,
      base: then.tables.get(locked ? lockKey(locked.item) : key),
      drifts,
      renamedFrom,
      renames: new Map(drifts.flatMap(renameOf)),
    }
  })
  return {
    tables,
    gone: gone.map((one) => ({ ...one, base: then.tables.get(one.key) })),
    wanted,
    base: then,
    setup: setupNow,
  }
}

/** Finds the readers of a deleted table and its model. Generated tests of other models are removed with it. */
function readersOf(
  { model, source }: LockedTable,
  project: PlanInput['project'],
  base: GeneratedTables | undefined,
): Pick<ArrangedTables['gone'][number], 'readers' | 'sourceReaders'> {
  const ownReads = (owner: string): number =>
    [...(base?.tables.values() ?? [])]
      .filter(({ place }) => place.model === owner)
      .map(
        ({ properties }) => JSON.stringify(properties?.entry ?? {}).split(`ref('${model.name}')`).length - 1,
      )
      .reduce((sum, count) => sum + count, 0)
  return {
    readers: findModelReaders(project, model.name, ownReads),
    sourceReaders: source
      ? findSourceReaders(project, { source: source.name, table: source.table }, model.path)
      : [],
  }
}

interface Compared extends Pick<ArrangedTable, 'locked' | 'renamedFrom'> {
  readonly item: EditedItem
  /** The request; undefined for a table that was not requested. */
  readonly now: EditedItem | undefined
}

function driftsOf({ item, locked, now, renamedFrom }: Compared): readonly Drift[] {
  return [
    ...(renamedFrom === undefined ? [] : [tableRenamed(renamedFrom, item.table.name)]),
    ...(locked && now ? compareTables(locked.item.table, now.table) : []),
  ]
}

/** Generated code must not refer to a model that is about to be removed. */
function withoutModels(setup: PlanInput['setup'], names: ReadonlySet<string>): PlanInput['setup'] {
  const { project } = setup
  if (!project || names.size === 0) return setup
  return { ...setup, project: { ...project, models: project.models.filter(({ name }) => !names.has(name)) } }
}

function tableRenamed(before: string, after: string | undefined): Drift {
  return { kind: 'renamed', column: undefined, before, after }
}

function renameOf({ after, before, column, kind }: Drift): readonly (readonly [string, string])[] {
  const isColumn = kind === 'renamed' && column !== undefined
  return isColumn && before !== undefined && after !== undefined ? [[before, after]] : []
}

/** Tables of the lock that share files with the requested ones, as of their last generation. */
function siblingsOf({ gone = [], lock }: PlanInput, items: readonly EditedItem[]): readonly LockedTable[] {
  const own = new Set([...items.map(lockKey), ...gone])
  const schemas = new Set([
    ...items.map(({ table }) => table.schema),
    ...gone.map((key) => lock.get(key)?.item.table.schema),
  ])
  return [...lock].flatMap(([key, locked]) =>
    own.has(key) || !schemas.has(locked.item.table.schema) ? [] : locked,
  )
}

function prepare(item: EditedItem, locked: LockedTable | undefined, { prune, setup }: PlanInput): EditedItem {
  if (!locked) return item
  const before = locked.item.table
  const dialect: DialectName = setup.dialect
  const observed = retainObservation(before, item.table)
  const table = prune ? observed : retainColumns(before, observed)
  return carryEdit(item, { before: locked.item, table, dialect: DIALECTS[dialect] })
}

function overlay(
  { lock, project, setup }: PlanInput,
  items: readonly EditedItem[],
  before: readonly LockedTable[],
): Config {
  const former = before.map(({ item }) => item)
  const twins = new Map([...twinsOf(items), ...twinsOf(former)])
  return overlayConfig(
    setup.config ?? {},
    project,
    [...items, ...former].flatMap((item) => toPlan(item, lock, twins.get(item))),
  )
}

/** Finds tables whose names differ only in case, each with the names of the others. */
function twinsOf(items: readonly EditedItem[]): ReadonlyMap<EditedItem, readonly string[]> {
  const spellings = Map.groupBy(items, ({ table: { database, name, schema } }) =>
    JSON.stringify([database, schema, name]).toLowerCase(),
  )
  const groups = [...spellings.values()].map((group) => ({
    group,
    names: [...new Set(group.flatMap(({ table }) => table.name ?? []))],
  }))
  return new Map(
    groups
      .filter(({ names }) => names.length > 1)
      .flatMap(({ group, names }) =>
        group.map((item) => [item, names.filter((name) => name !== item.table.name)] as const),
      ),
  )
}

/** A renamed table, or one that has a twin now, keeps its name in dbt, so its readers keep working. */
function toPlan(item: EditedItem, lock: Lock, twins?: readonly string[]): readonly TableToPlan[] {
  const { name } = item.table
  if (name === undefined) return []
  const locked = lock.get(lockKey(item))
  const former = formerName(lockKey(item), locked)
  const known = former !== undefined || twins ? (locked?.source?.table ?? former) : undefined
  return [
    { table: { ...item.table, name }, ...(known !== undefined && { name: known }), ...(twins && { twins }) },
  ]
}

/** A table, and its names by the configuration. */
interface PlacedItem {
  readonly item: EditedItem
  readonly place: TablePlace
}

function placesOf(items: readonly EditedItem[], setup: PlanInput['setup']): readonly PlacedItem[] {
  const { tables } = createRun(items, setup)
  return items.map((item, index) => {
    const place = tables[index]?.place()
    if (!place) throw new RangeError(`no place for ${lockKey(item)}`)
    return { item, place }
  })
}

function chooseModels(
  { adopt = new Set(), items, lock, project, prune = false, stuck, syntax }: PlanInput,
  places: readonly PlacedItem[],
  { exists, text }: PresentModels,
): ReadonlyMap<string, ChosenModel> {
  const owners = Map.groupBy(lock.keys(), (key) => lock.get(key)?.model.name)
  const twins = twinsOf(places.map(({ item }) => item))
  const selected = new Set(items.map(lockKey))
  return new Map(
    places.map(({ item, place }) => {
      const key = lockKey(item)
      const choice = {
        place: { ...place, path: place.paths.model },
        type: item.request.type,
        stored: { ...item.table, name: item.table.name ?? place.table, hasTwin: twins.has(item) },
        locked: lock.get(key),
        exists,
        isMoved: (path: string, locked: LockedTable) => isMovedModel(text(path), locked, syntax),
        isOthers: (name: string) => owners.get(name)?.some((owner) => owner !== key) ?? false,
        adopt,
        isSelected: selected.has(key),
        prune: prune && selected.has(key),
        stuck: stuck?.get(key),
      }
      return [key, chooseModel(project, choice)]
    }),
  )
}

/** Makes other models refer to models that people wrote or moved by their names. */
function nameModels(
  config: Config,
  { lock, project }: PlanInput,
  places: readonly PlacedItem[],
  models: ReadonlyMap<string, ChosenModel>,
): Config {
  const named = places.flatMap(({ item, place }) => {
    const model = models.get(lockKey(item))
    const isOther = model && model.owner !== 'taken' && place.model !== model.name
    const isContracted = model !== undefined && hasContract(project, model.path)
    const own = [item, ...formerItem(item, lock)]
    return isOther || isContracted
      ? own.flatMap((one) =>
          toPlan(one, lock).map((table) => ({
            ...table,
            ...(isOther && { model: model.name, isThere: true }),
            hasContract: isContracted,
          })),
        )
      : []
  })
  return named.length === 0 ? config : overlayConfig(config, project, named)
}

/** The table under its former name, for generating its base. */
function formerItem(item: EditedItem, lock: Lock): readonly EditedItem[] {
  const locked = lock.get(lockKey(item))
  return locked && lockKey(locked.item) !== lockKey(item) ? [locked.item] : []
}

/** Returns true if nothing changed since the lock was written, so both outputs are equal. */
function isSame(items: readonly EditedItem[], before: readonly LockedTable[]): boolean {
  const texts = new Set(before.map(({ item }) => printItem(item)))
  return items.length === texts.size && items.every((item) => texts.has(printItem(item)))
}

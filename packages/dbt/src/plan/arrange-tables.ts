import { createRun, type EditedItem, printItem } from '@stagecraft/core/run'
import { DIALECTS } from '@stagecraft/dialects'
import type { Config, DialectName } from '@stagecraft/spec'
import { type Lock, lockKey, type LockedTable } from '../lock/lock.ts'
import { type ChosenModel, chooseModel } from './choose-models.ts'
import { type GeneratedTable, type GeneratedTables, generateTables } from './generated.ts'
import { type FollowedInput, formerName } from './follow-renames.ts'
import { withoutFormerKeys } from './follow-settings.ts'
import { keepNames, lockedItem } from './keep-names.ts'
import { overlayConfig, type TableToPlan } from './overlay-config.ts'
import { carryEdit } from './move-edit.ts'
import type { PlanInput } from './plan-input.ts'
import { findModelReaders } from './project-view.ts'
import { compareTables, type Drift, retainColumns, retainObservation } from './table-drift.ts'

/** A table that a plan is about. */
export interface ArrangedTable {
  readonly key: string
  /** Asked for; others stand in the same files and are not touched but there. */
  readonly isSelected: boolean
  readonly locked: LockedTable | undefined
  readonly model: ChosenModel
  readonly wanted: GeneratedTable
  /** As today's rules generate it from the table of then; undefined for a new one. */
  readonly base: GeneratedTable | undefined
  readonly drifts: readonly Drift[]
  /** The stored name that the table had when the lock was written, if it has another one now. */
  readonly renamedFrom: string | undefined
  /** Raw columns that have another name than when the lock was written: the former names, with those of now. */
  readonly renames: ReadonlyMap<string, string>
}

export interface ArrangedTables {
  readonly tables: readonly ArrangedTable[]
  /** Tables that are gone, with what today's rules generate from what they were. */
  readonly gone: readonly {
    readonly key: string
    readonly locked: LockedTable
    readonly base: GeneratedTable | undefined
    /** Files of models that read its model, which is not removed therefore. */
    readonly readers: readonly string[]
  }[]
  readonly wanted: GeneratedTables
  readonly base: GeneratedTables
}

/** Generates for the tables that were asked for, beside those that share their files. */
export function arrangeTables(input: FollowedInput, exists: (path: string) => boolean): ArrangedTables {
  const selected = new Map(input.items.map((item) => [lockKey(item), item]))
  const gone = (input.gone ?? []).flatMap((key) => {
    const locked = input.lock.get(key)
    return locked ? [{ key, locked, readers: findModelReaders(input.project, locked.model.name) }] : []
  })
  const siblings = siblingsOf(input, [...selected.values()])
  const asked = [...selected].map(([key, item]) => prepare(item, input.lock.get(key), input))
  const items = [...asked, ...siblings.map(({ item }) => item)]
  const before = [...selected.keys()]
    .flatMap((key) => input.lock.get(key) ?? [])
    .concat(
      siblings,
      gone.map(({ locked }) => locked),
    )
  const config = overlay(input, items, before)
  const models = chooseModels(input, { items, config, exists })
  const named = nameModels(config, input, items, models)
  const setup = { ...input.setup, config: named }
  const unread = gone.filter(({ readers }) => readers.length === 0)
  const removed = new Set(input.prune ? unread.map(({ locked }) => locked.model.name) : [])
  const base =
    removed.size === 0 && isSame(items, before) ? undefined : generateTables(before.map(lockedItem), setup)
  const wanted = generateTables(
    items.map((item) => keepNames(item, input.lock.get(lockKey(item)), base)),
    withoutModels({ ...setup, config: ofNow(named, items, input) }, removed),
    base,
  )
  const then = base ?? wanted
  const tables = items.flatMap((item): ArrangedTable | [] => {
    const key = lockKey(item)
    const [generated, model, locked, now] = [
      wanted.tables.get(key),
      models.get(key),
      input.lock.get(key),
      selected.get(key),
    ]
    if (!generated || !model) return []
    const renamedFrom = formerName(key, locked)
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
  }
}

interface Compared extends Pick<ArrangedTable, 'locked' | 'renamedFrom'> {
  readonly item: EditedItem
  /** As it was asked for; undefined for a table that was not. */
  readonly now: EditedItem | undefined
}

function driftsOf({ item, locked, now, renamedFrom }: Compared): readonly Drift[] {
  return [
    ...(renamedFrom === undefined ? [] : [tableRenamed(renamedFrom, item.table.name)]),
    ...(locked && now ? compareTables(locked.item.table, now.table) : []),
  ]
}

/** The configuration without former names of columns, of which a plan warns otherwise. */
function ofNow(config: Config, items: readonly EditedItem[], { former }: FollowedInput): Config {
  return items.reduce(
    (under, item) => withoutFormerKeys(under, item.table, former.get(lockKey(item)) ?? []),
    config,
  )
}

/** Nothing that is generated may refer to a model that is about to be removed. */
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

/** Tables of the lock that share files with those asked for, as they were when they were generated last. */
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
  const all = [...items, ...before.map(({ item }) => item)]
  return overlayConfig(
    setup.config ?? {},
    project,
    all.flatMap((item) => toPlan(item, lock)),
  )
}

/** A table that was renamed keeps the name that dbt knows it by, so that whatever reads it goes on. */
function toPlan(item: EditedItem, lock: Lock): readonly TableToPlan[] {
  const { name } = item.table
  if (name === undefined) return []
  const locked = lock.get(lockKey(item))
  const former = formerName(lockKey(item), locked)
  const known = former === undefined ? undefined : (locked?.source?.table ?? former)
  return [{ table: { ...item.table, name }, ...(known !== undefined && { name: known }) }]
}

interface Choosing {
  readonly items: readonly EditedItem[]
  readonly config: Config
  readonly exists: (path: string) => boolean
}

function chooseModels(
  { adopt = new Set(), lock, project, prune = false, setup, stuck }: PlanInput,
  { config, exists, items }: Choosing,
): ReadonlyMap<string, ChosenModel> {
  const run = createRun(items, { ...setup, config })
  return new Map(
    items.map((item, index) => {
      const key = lockKey(item)
      const place = run.tables[index]?.place()
      if (!place) throw new RangeError(`no place for ${key}`)
      const others = new Set([...lock].flatMap(([other, { model }]) => (other === key ? [] : model.name)))
      const choice = {
        place: { ...place, path: place.paths.model },
        locked: lock.get(key),
        exists,
        others,
        adopt,
        prune,
        isStuck: stuck?.has(key) ?? false,
      }
      return [key, chooseModel(project, choice)]
    }),
  )
}

/** Has other models refer to the models that people wrote or moved, by the names that they have. */
function nameModels(
  config: Config,
  { lock, project, setup }: PlanInput,
  items: readonly EditedItem[],
  models: ReadonlyMap<string, ChosenModel>,
): Config {
  const run = createRun(items, { ...setup, config })
  const named = items.flatMap((item, index) => {
    const model = models.get(lockKey(item))
    const isOther = model && model.owner !== 'taken' && run.tables[index]?.place().model !== model.name
    const own = [item, ...formerItem(item, lock)]
    return isOther
      ? own.flatMap((one) =>
          toPlan(one, lock).map((table) => ({ ...table, model: model.name, isThere: true })),
        )
      : []
  })
  return named.length === 0 ? config : overlayConfig(config, project, named)
}

/** The table under its former name, by which its base is generated. */
function formerItem(item: EditedItem, lock: Lock): readonly EditedItem[] {
  const locked = lock.get(lockKey(item))
  return locked && lockKey(locked.item) !== lockKey(item) ? [locked.item] : []
}

/** Tells whether nothing changed since the lock was written, so that both are generated alike. */
function isSame(items: readonly EditedItem[], before: readonly LockedTable[]): boolean {
  const texts = new Set(before.map(({ item }) => printItem(item)))
  return items.length === texts.size && items.every((item) => texts.has(printItem(item)))
}

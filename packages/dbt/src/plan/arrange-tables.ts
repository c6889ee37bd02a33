import { createRun, type EditedItem, printItem } from '@stagecraft/core/run'
import type { Config } from '@stagecraft/spec'
import { lockKey, type LockedTable } from '../lock/lock.ts'
import { carryEdit } from './carry-edit.ts'
import { type ChosenModel, chooseModel } from './choose-models.ts'
import { type GeneratedTable, type GeneratedTables, generateTables } from './generated.ts'
import { overlayConfig } from './overlay-config.ts'
import type { PlanInput } from './plan-input.ts'
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
}

export interface ArrangedTables {
  readonly tables: readonly ArrangedTable[]
  /** Tables that are gone, with what today's rules generate from what they were. */
  readonly gone: readonly {
    readonly key: string
    readonly locked: LockedTable
    readonly base: GeneratedTable | undefined
  }[]
  readonly wanted: GeneratedTables
  readonly base: GeneratedTables
}

/** Generates for the tables that were asked for, beside those that share their files. */
export function arrangeTables(input: PlanInput, exists: (path: string) => boolean): ArrangedTables {
  const selected = new Map(input.items.map((item) => [lockKey(item), item]))
  const gone = (input.gone ?? []).flatMap((key) => {
    const locked = input.lock.get(key)
    return locked ? [{ key, locked }] : []
  })
  const siblings = siblingsOf(input, [...selected.values()])
  const asked = [...selected].map(([key, item]) => prepare(item, input.lock.get(key), input.prune ?? false))
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
  const wanted = generateTables(items, setup)
  const base = isSame(items, before)
    ? wanted
    : generateTables(
        before.map(({ item }) => item),
        setup,
      )
  const tables = items.flatMap((item): ArrangedTable | [] => {
    const key = lockKey(item)
    const [generated, model, locked, now] = [
      wanted.tables.get(key),
      models.get(key),
      input.lock.get(key),
      selected.get(key),
    ]
    if (!generated || !model) return []
    const drifts = locked && now ? compareTables(locked.item.table, now.table) : []
    return {
      key,
      isSelected: now !== undefined,
      locked,
      model,
      wanted: generated,
      base: base.tables.get(key),
      drifts,
    }
  })
  return { tables, gone: gone.map((one) => ({ ...one, base: base.tables.get(one.key) })), wanted, base }
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

function prepare(item: EditedItem, locked: LockedTable | undefined, prune: boolean): EditedItem {
  const edited = carryEdit(item, locked?.item)
  if (!locked) return edited
  const carried = { ...edited, table: retainObservation(locked.item.table, edited.table) }
  return prune ? carried : { ...carried, table: retainColumns(locked.item.table, carried.table) }
}

function overlay(
  { project, setup }: PlanInput,
  items: readonly EditedItem[],
  before: readonly LockedTable[],
): Config {
  const all = [...items, ...before.map(({ item }) => item)]
  return overlayConfig(setup.config ?? {}, project, all.flatMap(toPlan))
}

function toPlan({
  table,
}: EditedItem): readonly { readonly table: EditedItem['table'] & { readonly name: string } }[] {
  const { name } = table
  return name === undefined ? [] : [{ table: { ...table, name } }]
}

interface Choosing {
  readonly items: readonly EditedItem[]
  readonly config: Config
  readonly exists: (path: string) => boolean
}

function chooseModels(
  { adopt = new Set(), lock, project, prune = false, setup }: PlanInput,
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
      }
      return [key, chooseModel(project, choice)]
    }),
  )
}

/** Has other models refer to the models that people wrote or moved, by the names that they have. */
function nameModels(
  config: Config,
  { setup, project }: PlanInput,
  items: readonly EditedItem[],
  models: ReadonlyMap<string, ChosenModel>,
): Config {
  const run = createRun(items, { ...setup, config })
  const named = items.flatMap((item, index) => {
    const model = models.get(lockKey(item))
    const isOther = model && model.owner !== 'taken' && run.tables[index]?.place().model !== model.name
    return isOther ? toPlan(item).map((one) => ({ ...one, model: model.name })) : []
  })
  return named.length === 0 ? config : overlayConfig(config, project, named)
}

/** Tells whether nothing changed since the lock was written, so that both are generated alike. */
function isSame(items: readonly EditedItem[], before: readonly LockedTable[]): boolean {
  const texts = new Set(before.map(({ item }) => printItem(item)))
  return items.length === texts.size && items.every((item) => texts.has(printItem(item)))
}

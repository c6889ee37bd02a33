import type { EditedItem } from '@stagecraft/core/run'
import type { Config, Table } from '@stagecraft/spec'
import { type Lock, lockKey, type LockedTable } from '../lock/lock.ts'
import type { PlanInput, TablesBeside } from './plan-input.ts'
import { followSettings, type FormerSettings, withoutFormerTables } from './follow-settings.ts'
import { renameSettings } from './named-settings.ts'
import { findSource, type SourceTableName } from './project-view.ts'

/** Tables with fewer columns resemble others too often. */
const ENOUGH_COLUMNS = 3

/**
 * Treats a deleted table and a new one with the same schema, columns and keys as one renamed table, if this is
 * unambiguous: the new table then takes over its line of the lock. Settings under former names of tables and columns
 * apply to current names.
 */
export function followRenames(given: PlanInput): FollowedInput {
  const input = followTables(given)
  const items = new Map([...input.lock].map(([key, { item }]) => [key, item]))
  for (const item of input.items) items.set(lockKey(item), item)
  const names = new Set(tablesThere(input).map(placeOf))
  const named = [...items].map(([key, item]) => ({
    item,
    locked: input.lock.get(key),
    isTable: (name: string) => names.has(placeOf({ ...item.table, name })),
  }))
  const followed = followSettings(input.setup.config ?? {}, named)
  const { config, former } = followed
  return { ...input, setup: former.size > 0 ? { ...input.setup, config } : input.setup, followed }
}

/** The tables that are known to exist. */
function tablesThere({ beside, gone = [], items, lock }: PlanInput): readonly Table[] {
  const missing = new Set([...gone, ...(beside?.gone ?? [])])
  const known = [...lock].filter(([key, { item }]) => lockKey(item) === key && !missing.has(key))
  return [...known.map(([, { item }]) => item), ...items, ...(beside?.items ?? [])].map(({ table }) => table)
}

/** Returns the configuration with all settings under current names, to find unused ones. */
export function followedConfig(given: PlanInput): Config {
  const { followed, setup } = followRenames(given)
  return withoutFormerTables(setup.config ?? {}, followed.former)
}

/** The input of a plan, with tables and settings followed through renames. */
export interface FollowedInput extends PlanInput {
  readonly followed: FormerSettings
}

/** Returns a configuration with current column names; the plan warns of former ones. */
export function configOfNow(config: Config, { followed }: FollowedInput): Config {
  return renameSettings(config, followed.after).settings
}

/** Returns a configuration with the column names of the time when the lock was written. */
export function configOfThen(config: Config, { followed }: FollowedInput): Config {
  return renameSettings(config, followed.before).settings
}

function placeOf({ database = '', name = '', schema = '' }: Table): string {
  return JSON.stringify([database, schema, name]).toLowerCase()
}

function followTables(input: PlanInput): PlanInput {
  const { beside = NOTHING, gone = [], items, lock } = input
  const missing = [...gone, ...beside.gone].flatMap((key) => {
    const locked = lock.get(key)
    return locked ? [{ key, locked }] : []
  })
  if (missing.length === 0) return input
  const asked = new Set([...gone, ...items.map(lockKey)])
  const fresh = [...items, ...beside.items].filter((item) => !lock.has(lockKey(item)))
  const pairs = pairsOf(fresh, missing, (item) => declarationOf(item, input)).filter(
    ([item, { key }]) => asked.has(key) || asked.has(lockKey(item)),
  )
  const was = new Set(pairs.map(([, { key }]) => key))
  const renamed = new Map(pairs.map(([item, { locked }]) => [lockKey(item), locked]))
  return {
    ...input,
    items: [...items, ...pairs.flatMap(([item]) => (asked.has(lockKey(item)) ? [] : item))],
    gone: gone.filter((key) => !was.has(key)),
    lock: new Map([...[...lock].filter(([key]) => !was.has(key)), ...renamed]) satisfies Lock,
  }
}

const NOTHING: TablesBeside = { items: [], gone: [] }

interface Missing {
  readonly key: string
  readonly locked: LockedTable
}

type Pair = readonly [item: EditedItem, former: Missing]

/** Matches new tables to deleted ones. */
function pairsOf(
  fresh: readonly EditedItem[],
  missing: readonly Missing[],
  declared: (item: EditedItem) => SourceTableName | undefined,
): readonly Pair[] {
  const pair = (
    items: readonly EditedItem[],
    find: (item: EditedItem) => Missing | undefined,
  ): readonly Pair[] =>
    items.flatMap((item) => {
      const former = find(item)
      return former ? [[item, former] as const] : []
    })
  const spelled = pair(fresh, (item) => spelledOtherwise(item, { fresh, missing }))
  const moved = pair(
    fresh.filter((item) => spelled.every(([other]) => other !== item)),
    (item) => movedTo(item, declared(item), missing),
  )
  const taken = new Set<EditedItem | Missing>([...spelled, ...moved].flat())
  const added = fresh.filter((item) => !taken.has(item) && declared(item) === undefined)
  const rest = missing.filter((one) => !taken.has(one))
  return [...spelled, ...moved, ...pair(added, (item) => formerOf(item, { added, missing: rest }))]
}

/** Returns the names under which the project declares a table; a new one that a person declared is not a renamed one. */
function declarationOf({ table }: EditedItem, { project }: PlanInput): SourceTableName | undefined {
  const { name } = table
  const found = name === undefined ? undefined : findSource(project, { ...table, name })
  return found?.table && { source: found.source.name, table: found.table.name }
}

/** Finds the deleted table that the declaration of a new one was about, until a person changed its schema. */
function movedTo(
  item: EditedItem,
  declared: SourceTableName | undefined,
  missing: readonly Missing[],
): Missing | undefined {
  const found = missing.filter(
    ({ locked: { item: before, source } }) =>
      before.request.type === item.request.type &&
      source?.name === declared?.source &&
      source?.table === declared?.table,
  )
  return declared && found.length === 1 ? found[0] : undefined
}

/** A table whose name differs only in case: a declaration of one means the other. */
function spelledOtherwise(
  item: EditedItem,
  { fresh, missing }: { readonly fresh: readonly EditedItem[]; readonly missing: readonly Missing[] },
): Missing | undefined {
  const isIt = (other: EditedItem): boolean =>
    other.request.type === item.request.type && placeOf(other.table) === placeOf(item.table)
  const [found, ...others] = missing.filter(({ locked }) => isIt(locked.item))
  return others.length === 0 && fresh.filter(isIt).length === 1 ? found : undefined
}

function formerOf(
  item: EditedItem,
  { added, missing }: { readonly added: readonly EditedItem[]; readonly missing: readonly Missing[] },
): Missing | undefined {
  const alike = missing.filter(({ locked }) => isAlike(locked.item, item))
  const [only] = alike
  if (!only) return undefined
  const rivals = added.filter((other) => isAlike(only.locked.item, other))
  const isAlone = alike.length === 1 && rivals.length === 1
  if (isAlone && (item.table.columns.length >= ENOUGH_COLUMNS || hasWordOf(item, only))) return only
  // among several similar tables, words of their names decide
  const named = alike.filter((one) => hasWordOf(item, one))
  const [found] = named
  if (!found || named.length > 1) return undefined
  return added.filter((other) => isAlike(found.locked.item, other) && hasWordOf(other, found)).length === 1
    ? found
    : undefined
}

function isAlike(before: EditedItem, after: EditedItem): boolean {
  return before.request.type === after.request.type && describe(before.table) === describe(after.table)
}

/** Returns the features that a table keeps when it is renamed. */
function describe({ columns, database, primaryKey, schema, uniqueKeys = [] }: Table): string {
  const named = columns.map(({ name, type }) => [name, type])
  return JSON.stringify([database ?? null, schema ?? null, named, primaryKey ?? null, uniqueKeys])
}

/** Returns true if the names of two tables share a word that not all tables have. */
function hasWordOf({ table }: EditedItem, { locked }: Missing): boolean {
  const words = new Set(wordsOf(table.name ?? ''))
  return wordsOf(locked.item.table.name ?? '').some((word) => words.has(word))
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
}

/** Returns the name of a table in the lock, if it differs from the current one. */
export function formerName(key: string, locked: LockedTable | undefined): string | undefined {
  return locked && lockKey(locked.item) !== key ? locked.item.table.name : undefined
}

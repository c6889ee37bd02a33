import type { EditedItem } from '@stagecraft/core/run'
import type { Config, Table } from '@stagecraft/spec'
import { type Lock, lockKey, type LockedTable } from '../lock/lock.ts'
import type { PlanInput } from './plan-input.ts'
import { type FormerKeys, formerKeys, withFormerKeys, withoutFormerTable } from './follow-settings.ts'
import { findSource } from './project-view.ts'

/** Tables with fewer columns are like others too often. */
const ENOUGH_COLUMNS = 3

/**
 * Takes a table that is gone and a new one of the same schema with the same columns and keys for one that was renamed, if
 * nothing else may be meant: the line of the lock is that of the new table then. Settings under former names of tables and
 * columns hold for those of now.
 */
export function followRenames(given: PlanInput): FollowedInput {
  const input = followTables(given)
  const names = new Set(input.items.map(({ table }) => placeOf(table)))
  const isTable =
    (table: Table): ((name: string) => boolean) =>
    (name) =>
      names.has(placeOf({ ...table, name }))
  const known = [...input.lock].map(([key, { item }]) => [key, item] as const)
  const items = new Map([...known, ...input.items.map((item) => [lockKey(item), item] as const)])
  const config = input.setup.config ?? {}
  const former = new Map(
    [...items].map(([key, item]) => {
      const locked = input.lock.get(key)
      return [
        key,
        { item, keys: formerKeys(item, { config, locked, isTable: isTable(item.table) }) },
      ] as const
    }),
  )
  const followed = [...former].filter(([, { keys }]) => keys.length > 0)
  const all = followed.reduce((under, [, { item, keys }]) => withFormerKeys(under, item.table, keys), config)
  return {
    ...input,
    setup: followed.length > 0 ? { ...input.setup, config: all } : input.setup,
    former: new Map(followed.map(([key, { keys }]) => [key, keys])),
  }
}

/** Returns the configuration with all settings that hold under the names of now, to find those that name nothing. */
export function followedConfig(given: PlanInput): Config {
  const { former, setup } = followRenames(given)
  return [...former.values()].reduce(withoutFormerTable, setup.config ?? {})
}

/** The input of a plan whose tables and settings are followed through changes of names. */
export interface FollowedInput extends PlanInput {
  /** Settings under former names, by the keys of their tables. */
  readonly former: ReadonlyMap<string, readonly FormerKeys[]>
}

function placeOf({ database = '', name = '', schema = '' }: Table): string {
  return JSON.stringify([database, schema, name]).toLowerCase()
}

function followTables(input: PlanInput): PlanInput {
  const { gone = [], items, lock } = input
  if (gone.length === 0) return input
  const missing = gone.flatMap((key) => {
    const locked = lock.get(key)
    return locked ? [{ key, locked }] : []
  })
  const added = items.filter((item) => !lock.has(lockKey(item)) && !isDeclared(item, input))
  const pairs = added.flatMap((item) => {
    const former = formerOf(item, { added, missing })
    return former ? [[lockKey(item), former] as const] : []
  })
  const was = new Set(pairs.map(([, { key }]) => key))
  const renamed = new Map(pairs.map(([key, { locked }]) => [key, locked]))
  return {
    ...input,
    gone: gone.filter((key) => !was.has(key)),
    lock: new Map([...[...lock].filter(([key]) => !was.has(key)), ...renamed]) satisfies Lock,
  }
}

interface Missing {
  readonly key: string
  readonly locked: LockedTable
}

/** A person who declared the new table has said what it is. */
function isDeclared({ table }: EditedItem, { project }: PlanInput): boolean {
  const { name } = table
  return name !== undefined && findSource(project, { ...table, name })?.table !== undefined
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
  // of several that are alike, the words of their names tell
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

/** What two tables have in common if one is the other under a new name. */
function describe({ columns, database, primaryKey, schema, uniqueKeys = [] }: Table): string {
  const named = columns.map(({ name, type }) => [name, type])
  return JSON.stringify([database ?? null, schema ?? null, named, primaryKey ?? null, uniqueKeys])
}

/** Tells whether the names of two tables have a word in common that is not one of all tables. */
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

/** The former name of a table whose line of the lock was made under another one. */
export function formerName(key: string, locked: LockedTable | undefined): string | undefined {
  return locked && lockKey(locked.item) !== key ? locked.item.table.name : undefined
}

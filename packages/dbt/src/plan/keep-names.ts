import { type EditedItem, printItem } from '@stagecraft/core/run'
import type { LockedTable } from '../lock/lock.ts'
import { lockKey } from '../lock/lock.ts'
import type { GeneratedTables } from './generated.ts'
import { findRenames } from './table-drift.ts'

/** Returns the item of a line with the names that the lock has for its columns. */
export function lockedItem({ item, names }: LockedTable): EditedItem {
  return names ? { ...item, names: new Map(Object.entries(names)) } : item
}

/**
 * Makes the columns of a table keep their staged names if a new column wants the same.
 *
 * @param base The output of today's rules for the former tables; undefined if nothing changed since.
 */
export function keepNames(
  item: EditedItem,
  locked: LockedTable | undefined,
  base: GeneratedTables | undefined,
): EditedItem {
  if (!locked) return item
  const former = base?.tables.get(lockKey(locked.item))
  if (!former || printItem(item) === printItem(locked.item))
    return { ...item, names: lockedItem(locked).names }
  const { all } = former.names()
  const renames = findRenames(locked.item.table, item.table)
  const names = item.table.columns.flatMap(({ name }) => {
    const known = all.get(renames.get(name) ?? name)
    return known === undefined ? [] : [[name, known] as const]
  })
  return { ...item, names: new Map(names) }
}

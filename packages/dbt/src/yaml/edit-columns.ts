import { isDeepStrictEqual } from 'node:util'
import type { Change } from './change.ts'
import { entryAt, itemsAt, pathOfColumn, pathOfOwner, valueAt } from './find-owner.ts'
import { insertItem } from './insert-item.ts'
import { startOf } from './positions.ts'
import { Kept, Refusal } from './refusal.ts'
import { removeItem, removePair } from './remove-node.ts'
import { setPair } from './set-pair.ts'
import type { AddColumn, RemoveColumn, SetProperty, YamlValue } from './yaml-edit.ts'
import { nodeAt, type YamlFile, type YamlPath } from './yaml-file.ts'

/** The keys of a column that come before its description. */
const BEFORE_DESCRIPTION = ['name', 'v']

export function addColumn(file: YamlFile, { after, column, owner }: AddColumn): Change | undefined {
  const path = pathOfOwner(file, owner)
  if (pathOfColumn(file, path, column.name)) return undefined
  const list = [...path, 'columns']
  const columns = itemsAt(file.data, list)
  if (columns.length === 0) return setPair(file, path, { key: 'columns', value: [column] })
  const neighbour = after === undefined ? undefined : pathOfColumn(file, path, after)?.at(-1)
  const index = typeof neighbour === 'number' ? neighbour + 1 : columns.length
  return insertItem(file, list, { index, value: column })
}

export function removeColumn(file: YamlFile, { column, expected, owner }: RemoveColumn): Change | undefined {
  const path = pathOfOwner(file, owner)
  const place = pathOfColumn(file, path, column)
  if (!place) return undefined
  assertAsWritten(file, place, expected)
  return removeFromList(file, place)
}

/** Removes an item, and with the last one the key of the list. */
export function removeFromList(
  file: YamlFile,
  place: YamlPath,
  { withComments = false }: { readonly withComments?: boolean } = {},
): Change {
  const list = place.slice(0, -1)
  const index = place.at(-1)
  const key = list.at(-1)
  if (typeof index !== 'number' || typeof key !== 'string') throw new Refusal('it stands in no list', 0)
  if (itemsAt(file.data, list).length > 1) return removeItem(file, { list, index, withComments })
  return removePair(file, list.slice(0, -1), key)
}

/** @throws {Kept} When the value is another one than was written. */
export function assertAsWritten(file: YamlFile, place: YamlPath, expected: YamlValue | undefined): void {
  if (expected === undefined || isDeepStrictEqual(valueAt(file.data, place), expected)) return
  throw new Kept('somebody changed the entry; it is kept', offsetOf(file, place))
}

export function setProperty(
  file: YamlFile,
  { column, key, owner, replaces, value }: SetProperty,
): Change | undefined {
  const path = pathOfOwner(file, owner)
  const place = column === undefined ? path : pathOfColumn(file, path, column)
  if (!place) throw new Refusal(`there is no column ${column} in it`, offsetOf(file, path))
  const present = entryAt(file.data, place)[key]
  if (present === value) return undefined
  const isEmpty = present === undefined || present === null || present === ''
  if (!isEmpty && (replaces === undefined || present !== replaces))
    throw new Kept(`somebody wrote another ${key}; it is kept`, offsetOf(file, [...place, key]))
  return setPair(file, place, { key, value, after: BEFORE_DESCRIPTION })
}

/** Returns the offset of the node at a path. */
export function offsetOf(file: YamlFile, path: YamlPath): number {
  const node = nodeAt(file, path)
  return node ? startOf(node) : 0
}

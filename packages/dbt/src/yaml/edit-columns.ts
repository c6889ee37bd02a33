import { isDeepStrictEqual } from 'node:util'
import type { Change } from './change.ts'
import { entryAt, itemsAt, pathOfColumn, pathOfOwner, valueAt } from './find-owner.ts'
import { insertItem } from './insert-item.ts'
import { startOf } from './positions.ts'
import { Kept, Refusal } from './refusal.ts'
import { removeItems, removePair } from './remove-node.ts'
import { setPair } from './set-pair.ts'
import type {
  AddColumn,
  RemoveColumn,
  RemoveProperty,
  SetProperty,
  SetValue,
  YamlValue,
} from './yaml-edit.ts'
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
  return removeUnchanged(file, place, expected)
}

/**
 * Removes an item of a list, which must be the expected one if there is one.
 *
 * @throws {Kept} If a person changed it, or wrote a comment in it.
 */
export function removeUnchanged(file: YamlFile, place: YamlPath, expected: YamlValue | undefined): Change {
  assertAsWritten(file, place, expected)
  const change = removeFromList(file, place)
  return expected === undefined ? change : withoutComments(file, change, place)
}

/** Removes an item, and the list's key together with the last item. */
export function removeFromList(file: YamlFile, place: YamlPath): Change {
  const [change] = removeAllFromList(file, [place])
  if (!change) throw new Refusal('it is not in a list', 0)
  return change
}

/** Removes items of one list, and its key together with the last item. */
export function removeAllFromList(
  file: YamlFile,
  places: readonly YamlPath[],
  { withComments = false }: { readonly withComments?: boolean } = {},
): readonly Change[] {
  const list = places[0]?.slice(0, -1) ?? []
  const indexes = places.map((place) => place.at(-1)).filter((index) => typeof index === 'number')
  const key = list.at(-1)
  if (indexes.length < places.length || typeof key !== 'string') throw new Refusal('it is not in a list', 0)
  if (itemsAt(file.data, list).length > indexes.length)
    return removeItems(file, { list, indexes, withComments })
  return [removePair(file, list.slice(0, -1), key)]
}

/** @throws {Kept} If the value differs from the written one. */
export function assertAsWritten(file: YamlFile, place: YamlPath, expected: YamlValue | undefined): void {
  if (expected === undefined || isDeepStrictEqual(valueAt(file.data, place), expected)) return
  throw new Kept('the entry was changed by hand; it is kept', offsetOf(file, place))
}

const BEFORE_CONFIG = [...BEFORE_DESCRIPTION, 'description', 'identifier', 'loader']

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
    throw new Kept(`${key} was changed by hand; it is kept`, offsetOf(file, [...place, key]))
  const after = typeof value === 'object' ? BEFORE_CONFIG : BEFORE_DESCRIPTION
  return setPair(file, place, { key, value, after })
}

export function removeProperty(
  file: YamlFile,
  { column, expected, key, owner }: RemoveProperty,
): Change | undefined {
  const path = pathOfOwner(file, owner)
  const place = column === undefined ? path : pathOfColumn(file, path, column)
  const present = place && entryAt(file.data, place)[key]
  if (!place || present === undefined || present === null || present === '') return undefined
  if (present !== expected)
    throw new Kept(`${key} was changed by hand; it is kept`, offsetOf(file, [...place, key]))
  try {
    return withoutComments(file, removePair(file, place, key), [...place, key])
  } catch (error) {
    // a text that is no longer generated blocks nothing else
    throw error instanceof Refusal ? new Kept(error.message, error.offset) : error
  }
}

/**
 * Generated text has no comments, so a comment in a removed part is a person's.
 *
 * @throws {Kept} When there is one.
 */
export function withoutComments(file: YamlFile, change: Change, place: YamlPath): Change {
  const hasComment = change.splices.some(({ end, start }) =>
    /(?:^|\s)#/m.test(file.text.slice(start, end).replace(QUOTED, '')),
  )
  if (hasComment) throw new Kept('it contains a hand-written comment; it is kept', offsetOf(file, place))
  return change
}

const QUOTED = /'(?:''|[^'\n])*'|"(?:\\.|[^"\\\n])*"/g

export function setValue(file: YamlFile, { path, value }: SetValue): Change | undefined {
  const present = valueAt(file.data, path)
  if (present !== undefined && present !== null) {
    if (isDeepStrictEqual(present, value)) return undefined
    throw new Kept(`${path.join('.')} has another value; it is kept`, offsetOf(file, path))
  }
  const depth = path.findIndex((_, at) => isEmpty(valueAt(file.data, path.slice(0, at + 1))))
  const missing = path.slice(depth + 1)
  const whole = missing.toReversed().reduce<YamlValue>((inner, key) => ({ [key]: inner }), value)
  return setPair(file, path.slice(0, depth), { key: path[depth] ?? '', value: whole })
}

/** Returns true for nothing, and for a map without keys. */
function isEmpty(value: YamlValue | undefined): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null
  return !Array.isArray(value) && Object.keys(value).length === 0
}

/** Returns the offset of the node at a path. */
export function offsetOf(file: YamlFile, path: YamlPath): number {
  const node = nodeAt(file, path)
  return node ? startOf(node) : 0
}

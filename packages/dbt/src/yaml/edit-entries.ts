import { isDeepStrictEqual } from 'node:util'
import type { Change } from './change.ts'
import { assertAsWritten, removeFromList, removeUnchanged, withoutComments } from './edit-columns.ts'
import { entryAt, findNamed, itemsAt, nameOf, pathOfOwner } from './find-owner.ts'
import { insertItem } from './insert-item.ts'
import { Kept } from './refusal.ts'
import { emptyList } from './remove-node.ts'
import { setPair } from './set-pair.ts'
import type { AddEntry, AddTable, RemoveEntry, YamlValue } from './yaml-edit.ts'
import type { YamlFile, YamlPath } from './yaml-file.ts'

export function addTable(file: YamlFile, { source, table }: AddTable): Change | undefined {
  const path = pathOfOwner(file, { list: 'sources', name: source })
  const paths = findNamed(file.data, ['sources'], source)
  if (paths.some((place) => findNamed(file.data, [...place, 'tables'], table.name).length > 0))
    return undefined
  const tables = itemsAt(file.data, [...path, 'tables'])
  if (tables.length === 0) return setPair(file, path, { key: 'tables', value: [table] })
  return insertItem(file, [...path, 'tables'], { index: placeByName(tables, table.name), value: table })
}

export function addEntry(file: YamlFile, { entry, list }: AddEntry): Change | undefined {
  if (findNamed(file.data, [list], entry.name).length > 0) return undefined
  const items = itemsAt(file.data, [list])
  if (items.length === 0) return setPair(file, [], { key: list, value: [entry] })
  const index = list === 'sources' ? items.length : placeByName(items, entry.name)
  return insertItem(file, [list], { index, value: entry })
}

/** Returns the place that keeps names sorted, if they are; else the last one. So git merges most additions of two branches. */
export function placeByName(items: readonly YamlValue[], name: string): number {
  const names = items.map((item) => nameOf(item) ?? '')
  const isOrdered = names.every((other, index) => index === 0 || (names[index - 1] ?? '') <= other)
  if (!isOrdered) return names.length
  const index = names.findIndex((other) => other > name)
  return index === -1 ? names.length : index
}

export function removeEntry(file: YamlFile, edit: RemoveEntry): Change | undefined {
  const { expected, owner } = edit
  if (findNamed(file.data, [owner.list], owner.name).length === 0) return undefined
  const place = pathOfOwner(file, owner)
  const isTable = owner.list === 'sources' && owner.table !== undefined
  const isLast = isTable && itemsAt(file.data, place.slice(0, -1)).length === 1
  return isLast ? removeLastTable(file, place, edit) : removeUnchanged(file, place, expected)
}

/** Removes the source too, or leaves an empty list. */
function removeLastTable(
  file: YamlFile,
  place: YamlPath,
  { expected, ofSource }: Pick<RemoveEntry, 'expected' | 'ofSource'>,
): Change {
  assertAsWritten(file, place, expected)
  const source = place.slice(0, -2)
  const { tables: _, ...said } = entryAt(file.data, source)
  if (ofSource && isDeepStrictEqual(said, ofSource)) {
    try {
      return withoutComments(file, removeFromList(file, source), source)
    } catch (error) {
      if (!(error instanceof Kept)) throw error
    }
  }
  const change = emptyList(file, source, 'tables')
  return expected === undefined ? change : withoutComments(file, change, place)
}

import { type Change } from './change.ts'
import { assertAsWritten, removeFromList } from './edit-columns.ts'
import { findNamed, itemsAt, nameOf, pathOfOwner } from './find-owner.ts'
import { insertItem } from './insert-item.ts'
import { setPair } from './set-pair.ts'
import type { AddEntry, AddTable, RemoveEntry, YamlValue } from './yaml-edit.ts'
import type { YamlFile } from './yaml-file.ts'

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

/** The place that keeps the order of names, as long as there are two that are in order; else the last one. */
export function placeByName(items: readonly YamlValue[], name: string): number {
  const names = items.map((item) => nameOf(item) ?? '')
  const isOrdered = names.every((other, index) => index === 0 || (names[index - 1] ?? '') <= other)
  if (!isOrdered || names.length < 2) return names.length
  const index = names.findIndex((other) => other > name)
  return index === -1 ? names.length : index
}

export function removeEntry(file: YamlFile, { expected, owner }: RemoveEntry): Change | undefined {
  if (findNamed(file.data, [owner.list], owner.name).length === 0) return undefined
  const place = pathOfOwner(file, owner)
  assertAsWritten(file, place, expected)
  return removeFromList(file, place)
}

import { asEntry } from './change.ts'
import { Refusal } from './refusal.ts'
import type { YamlEntry, YamlOwner, YamlValue } from './yaml-edit.ts'
import type { YamlFile, YamlPath } from './yaml-file.ts'

/**
 * Finds the entry of an owner.
 *
 * @throws {Refusal} If the file does not have it.
 */
export function pathOfOwner({ data }: YamlFile, owner: YamlOwner): YamlPath {
  const paths = findNamed(data, [owner.list], owner.name)
  const inner = paths.flatMap((path) => insideOwner(data, path, owner))
  const [found] = inner
  if (found) return found
  throw new Refusal(`there is no ${printOwner(owner)} in it`, 0)
}

/** A source may appear twice in a file, with different tables. */
function insideOwner(data: YamlValue, path: YamlPath, owner: YamlOwner): readonly YamlPath[] {
  if (owner.list === 'sources')
    return owner.table === undefined ? [path] : findNamed(data, [...path, 'tables'], owner.table)
  const { version } = owner
  if (version === undefined) return [path]
  const versions = itemsAt(data, [...path, 'versions'])
  return versions.flatMap((entry, index) =>
    textOf(asEntry(entry)['v']) === String(version) ? [[...path, 'versions', index]] : [],
  )
}

function printOwner(owner: YamlOwner): string {
  if (owner.list === 'sources')
    return owner.table === undefined ? `source ${owner.name}` : `table ${owner.table} of source ${owner.name}`
  const version = owner.version === undefined ? '' : ` of version ${owner.version}`
  return `${owner.list.slice(0, -1)} ${owner.name}${version}`
}

/** Returns the paths of the named items of a list. */
export function findNamed(data: YamlValue, list: YamlPath, name: string): readonly YamlPath[] {
  const names = itemsAt(data, list).map(nameOf)
  return names.flatMap((found, index) => (found === name ? [[...list, index]] : []))
}

/** Returns the path of a column, ignoring case if there is no exact match. */
export function pathOfColumn({ data }: YamlFile, owner: YamlPath, column: string): YamlPath | undefined {
  const list = [...owner, 'columns']
  const [exact] = findNamed(data, list, column)
  if (exact) return exact
  const index = itemsAt(data, list).findIndex((item) => nameOf(item)?.toLowerCase() === column.toLowerCase())
  return index === -1 ? undefined : [...list, index]
}

/** Returns the name of an entry; undefined without one. */
export function nameOf(entry: YamlValue): string | undefined {
  return textOf(asEntry(entry)['name'])
}

/** YAML reads a name such as `2020` as a number. */
function textOf(value: YamlValue | undefined): string | undefined {
  return typeof value === 'object' || value === undefined ? undefined : String(value)
}

export function valueAt(data: YamlValue, path: YamlPath): YamlValue | undefined {
  return path.reduce<YamlValue | undefined>((value, step) => {
    if (Array.isArray(value))
      return typeof step === 'number' ? (value as readonly YamlValue[])[step] : undefined
    return typeof step === 'string' ? asEntry(value)[step] : undefined
  }, data)
}

/** Returns the items of a list; none if it is missing. */
export function itemsAt(data: YamlValue, path: YamlPath): readonly YamlValue[] {
  const value = valueAt(data, path)
  return Array.isArray(value) ? (value as readonly YamlValue[]) : []
}

export function entryAt(data: YamlValue, path: YamlPath): YamlEntry {
  return asEntry(valueAt(data, path))
}

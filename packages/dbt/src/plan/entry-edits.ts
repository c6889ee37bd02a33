import { isDeepStrictEqual } from 'node:util'
import type { YamlEdit, YamlEntry, YamlOwner, YamlValue } from '../yaml/yaml-edit.ts'

/** The entry of a model, a table or a column: as generated last time, and as generated now. */
export interface EntryChange {
  readonly base: YamlEntry
  readonly wanted: YamlEntry
}

/** Keys of an entry that are brought up to date by edits of their own. */
const HANDLED = new Set(['name', 'columns', 'data_tests', 'tests'])

/**
 * Returns the edits that bring a change of what is generated into an entry that a person may have changed. Only what
 * generation changed is touched, so that what a person wrote, removed or added stays.
 */
export function entryEdits(owner: YamlOwner, { base, wanted }: EntryChange): readonly YamlEdit[] {
  return [...propertyEdits({ owner }, { base, wanted }), ...columnEdits(owner, { base, wanted })]
}

/** Names keys whose new value no edit can bring in: maps and lists, and texts that are gone. */
export function unchangeableKeys({ base, wanted }: EntryChange): readonly string[] {
  const columns = columnsOf(base)
  const own = changedKeys({ base, wanted }).filter(
    (key) => isNested(wanted[key]) || wanted[key] === undefined,
  )
  const inner = columnsOf(wanted).flatMap((column) => {
    const before = columns.find(({ name }) => name === column.name)
    return before
      ? unchangeableKeys({ base: before, wanted: column }).map((key) => `${column.name}.${key}`)
      : []
  })
  return [...own, ...inner]
}

function changedKeys({ base, wanted }: EntryChange): readonly string[] {
  const keys = new Set([...Object.keys(base), ...Object.keys(wanted)])
  return [...keys].filter((key) => !HANDLED.has(key) && !isDeepStrictEqual(base[key], wanted[key]))
}

function isNested(value: YamlValue | undefined): boolean {
  return typeof value === 'object' && value !== null
}

interface Place {
  readonly owner: YamlOwner
  readonly column?: string
}

function propertyEdits(place: Place, { base, wanted }: EntryChange): readonly YamlEdit[] {
  const properties = changedKeys({ base, wanted }).flatMap((key): readonly YamlEdit[] => {
    const [value, before] = [wanted[key], base[key]]
    if (!isScalar(value)) return []
    return [{ kind: 'set-property', ...place, key, value, ...(isScalar(before) && { replaces: before }) }]
  })
  return [...properties, ...testEdits(place, { base, wanted })]
}

function isScalar(value: YamlValue | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function testEdits(place: Place, { base, wanted }: EntryChange): readonly YamlEdit[] {
  const [before, now] = [testsOf(base), testsOf(wanted)]
  const isIn = (tests: readonly YamlValue[], test: YamlValue): boolean =>
    tests.some((other) => isDeepStrictEqual(other, test))
  const removed = before.filter((test) => !isIn(now, test))
  const added = now.filter((test) => !isIn(before, test))
  const key = wanted['tests'] === undefined ? 'data_tests' : 'tests'
  return [
    ...(removed.length > 0 ? [{ kind: 'remove-tests', ...place, tests: removed } as const] : []),
    ...(added.length > 0 ? [{ kind: 'add-tests', ...place, tests: added, key } as const] : []),
  ]
}

function testsOf(entry: YamlEntry): readonly YamlValue[] {
  const tests = entry['data_tests'] ?? entry['tests']
  return Array.isArray(tests) ? tests : []
}

function columnEdits(owner: YamlOwner, { base, wanted }: EntryChange): readonly YamlEdit[] {
  const [before, now] = [columnsOf(base), columnsOf(wanted)]
  const find = (columns: readonly Named[], name: string): Named | undefined =>
    columns.find((column) => column.name === name)
  const changed = now.flatMap((column, index): readonly YamlEdit[] => {
    const known = find(before, column.name)
    if (known) return propertyEdits({ owner, column: column.name }, { base: known, wanted: column })
    const left = now[index - 1]?.name
    return [{ kind: 'add-column', owner, column, ...(left !== undefined && { after: left }) }]
  })
  const removed = before
    .filter(({ name }) => !find(now, name))
    .map((column): YamlEdit => ({ kind: 'remove-column', owner, column: column.name, expected: column }))
  return [...changed, ...removed]
}

type Named = YamlEntry & { readonly name: string }

/** Returns the columns that an entry lists. */
function columnsOf(entry: YamlEntry): readonly Named[] {
  const columns = entry['columns']
  return Array.isArray(columns) ? columns.filter(isNamed) : []
}

/** Tells whether a value is a map with a name. */
export function isNamed(value: YamlValue | undefined): value is Named {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value['name'] === 'string'
}

import { isDeepStrictEqual } from 'node:util'
import type { YamlEdit, YamlEntry, YamlOwner, YamlValue } from '../yaml/yaml-edit.ts'

/** The entry of a model, a table or a column, as generated before and now. */
export interface EntryChange {
  readonly base: YamlEntry
  readonly wanted: YamlEntry
  /** The text in the file. @default as generated last time */
  readonly present?: YamlEntry
  /** Renamed columns, by former name. @default none */
  readonly renames?: ReadonlyMap<string, string> | undefined
}

/** Returns true if an entry keeps the name. */
function isTaken(
  name: string | undefined,
  there: ReadonlySet<string>,
  renames: ReadonlyMap<string, string>,
): boolean {
  return name !== undefined && there.has(name) && !renames.has(name)
}

type Rename = readonly [from: string, to: string]

/** Orders renames so that no name is taken before it is free; swaps use a third name. */
function inOrder(renames: readonly Rename[]): readonly Rename[] {
  const [first] = renames
  if (!first) return []
  const next = renames.find(([, to]) => renames.every(([from]) => from !== to))
  if (next) return [next, ...inOrder(renames.filter((one) => one !== next))]
  const [from, to] = first
  const between = `${from}__`
  return [[from, between], ...inOrder([...renames.slice(1), [between, to]])]
}

/** Keys of an entry with edits of their own. */
const HANDLED = new Set(['name', 'columns', 'data_tests', 'tests'])

/**
 * Returns the edits that apply a change of generation to an entry that a person may have changed. They only touch
 * what generation changed, so a person's changes stay.
 */
export function entryEdits(owner: YamlOwner, change: EntryChange): readonly YamlEdit[] {
  const { base, wanted } = change
  const { edits, renamed } = renameEdits(owner, change)
  return [
    ...edits,
    ...propertyEdits({ owner }, { base, wanted }),
    ...columnEdits(owner, {
      base: { ...base, columns: renamed },
      wanted,
      present: change.present ?? base,
      renames: change.renames,
    }),
  ]
}

/**
 * Renames entries of columns, and keeps what a person wrote in them. If an entry with the new name exists, the former
 * one is removed if it is unchanged.
 */
function renameEdits(
  owner: YamlOwner,
  { base, present = base, renames = new Map() }: EntryChange,
): { readonly edits: readonly YamlEdit[]; readonly renamed: readonly Named[] } {
  const there = new Set(columnsOf(present).map(({ name }) => name))
  const known = columnsOf(base).filter(({ name }) => renames.has(name) && there.has(name))
  const doubled = known.filter(({ name }) => isTaken(renames.get(name), there, renames))
  // without the text of the last generation, the base has current names
  const free = columnsOf(present).filter(
    ({ name }) => renames.has(name) && !isTaken(renames.get(name), there, renames),
  )
  const edits: readonly YamlEdit[] = [
    ...doubled.map(
      (column) => ({ kind: 'remove-column', owner, column: column.name, expected: column }) as const,
    ),
    ...inOrder(free.map(({ name }) => [name, renames.get(name) ?? name])).map(
      ([column, value]) =>
        ({ kind: 'set-property', owner, column, key: 'name', value, replaces: column }) as const,
    ),
  ]
  const renamed = columnsOf(base).map((column) => ({
    ...column,
    name: renames.get(column.name) ?? column.name,
  }))
  return { edits, renamed }
}

/** Returns keys whose new value no edit can apply: maps and lists, including removed ones. */
export function unchangeableKeys({ base, wanted }: EntryChange): readonly string[] {
  const columns = columnsOf(base)
  const own = changedKeys({ base, wanted }).filter(
    (key) =>
      (isNested(wanted[key]) && !(isEntry(wanted[key]) && base[key] === undefined)) ||
      (wanted[key] === undefined && !isScalar(base[key])),
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

function isNested(value: YamlValue | undefined): value is YamlEntry | readonly YamlValue[] {
  return typeof value === 'object' && value !== null
}

/** Returns true for a map, which is added as a whole. */
export function isEntry(value: YamlValue | undefined): value is YamlEntry {
  return isNested(value) && !Array.isArray(value)
}

interface Place {
  readonly owner: YamlOwner
  readonly column?: string
}

function propertyEdits(place: Place, { base, wanted }: EntryChange): readonly YamlEdit[] {
  const properties = changedKeys({ base, wanted }).flatMap((key): readonly YamlEdit[] => {
    const [value, before] = [wanted[key], base[key]]
    if (value === undefined && isScalar(before))
      return [{ kind: 'remove-property', ...place, key, expected: before }]
    if (isEntry(value) && before === undefined) return [{ kind: 'set-property', ...place, key, value }]
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

function columnEdits(
  owner: YamlOwner,
  { base, present, renames = new Map(), wanted }: EntryChange & { readonly present: YamlEntry },
): readonly YamlEdit[] {
  const [before, now] = [columnsOf(base), columnsOf(wanted)]
  const find = (columns: readonly Named[], name: string): Named | undefined =>
    columns.find((column) => column.name === name)
  const there = new Set(columnsOf(present).map(({ name }) => (renames.get(name) ?? name).toLowerCase()))
  const changed = now.flatMap((column, index): readonly YamlEdit[] => {
    const known = find(before, column.name)
    if (known && there.has(column.name.toLowerCase()))
      return propertyEdits({ owner, column: column.name }, { base: known, wanted: column })
    const added = known ? newFacts(known, column) : column
    const left = now[index - 1]?.name
    return added
      ? [{ kind: 'add-column', owner, column: added, ...(left !== undefined && { after: left }) }]
      : []
  })
  const removed = before
    .filter(({ name }) => !find(now, name))
    .flatMap((column) => [
      { kind: 'remove-column', owner, column: column.name, expected: column } as const,
      ...testsOfKept(owner, column, find(columnsOf(present), column.name)),
    ])
  return [...changed, ...removed]
}

/** Returns the entry to add for a column without one: only its new parts, or undefined for none. */
function newFacts(base: Named, wanted: Named): Named | undefined {
  const { name } = wanted
  const edits = propertyEdits({ owner: { list: 'models', name }, column: name }, { base, wanted })
  const facts = edits.flatMap((edit): readonly (readonly [string, YamlValue])[] => {
    if (edit.kind === 'set-property') return [[edit.key, edit.value]]
    return edit.kind === 'add-tests' ? [[edit.key ?? 'data_tests', edit.tests]] : []
  })
  return facts.length > 0 ? { name, ...Object.fromEntries(facts) } : undefined
}

/** Removes the generated tests of a deleted column that a person wrote about, on which dbt would fail. */
function testsOfKept(owner: YamlOwner, column: Named, present: Named | undefined): readonly YamlEdit[] {
  const tests = testsOf(column)
  if (!present || tests.length === 0) return []
  return [{ kind: 'remove-tests', owner, column: column.name, tests }]
}

type Named = YamlEntry & { readonly name: string }

/** Returns the columns that an entry lists. */
export function columnsOf(entry: YamlEntry): readonly Named[] {
  const columns = entry['columns']
  return Array.isArray(columns) ? columns.filter(isNamed) : []
}

/** Returns true if a value is a map with a name. */
export function isNamed(value: YamlValue | undefined): value is Named {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value['name'] === 'string'
}

import { isDeepStrictEqual } from 'node:util'
import { pathOfOwner } from '../yaml/find-owner.ts'
import { lineStart, startOf } from '../yaml/positions.ts'
import { attempt } from '../yaml/refusal.ts'
import { isSameTest, readTest } from '../yaml/same-test.ts'
import type { YamlEntry, YamlText, YamlValue } from '../yaml/yaml-edit.ts'
import { nodeAt, parseYaml, type YamlFile } from '../yaml/yaml-file.ts'
import { columnsOf, isEntry } from './entry-edits.ts'
import { type EntryInput, isAsGenerated } from './entry-input.ts'

/** The difference of a person's entry of YAML from its generated text. */
export interface HandEdit {
  /** The model or the table: `stg_shop__orders`, `shop.orders`. */
  readonly covers: string
  /** The line of its entry. */
  readonly line: number
  /** What the person added: `description of status`. Nothing generated is lost by it. */
  readonly added: readonly string[]
  /** The generated parts that the person changed or removed: `test unique of order_id removed`. */
  readonly changed: readonly string[]
}

/** Finds the entries of a file that differ from what was generated, and the differences. */
export function handEdits(text: YamlText, entries: readonly EntryInput[]): readonly HandEdit[] {
  const edited = entries.flatMap((entry) => {
    const found = differences(entry)
    return found && found.added.length + found.changed.length > 0 ? [{ entry, ...found }] : []
  })
  if (edited.length === 0) return []
  const file = attempt(text, () => parseYaml(text))
  return edited.map(({ entry, ...found }) => ({
    covers: entry.covers,
    line: 'status' in file ? 1 : lineOf(file, entry),
    ...found,
  }))
}

/** Joins the parts of a list; of many, the first. */
export function describeParts(parts: readonly string[]): string {
  const shown = parts.slice(0, SHOWN)
  const more = parts.length > shown.length ? ` and ${parts.length - shown.length} more` : ''
  return shown.join(', ') + more
}

const SHOWN = 4

type Differences = Pick<HandEdit, 'added' | 'changed'>

const NONE: Differences = { added: [], changed: [] }

function differences(entry: EntryInput): Differences | undefined {
  const { base, isSelected, locked, owner, present, undeclaredIn = [], wanted } = entry
  if (!isSelected || !locked || !wanted) return undefined
  if (!present) return undeclaredIn.length === 0 ? { added: [], changed: [ENTRY_REMOVED] } : undefined
  if (isAsGenerated(entry)) return undefined
  if (!base || !isAsGenerated({ ...entry, present: base })) return { added: [], changed: [NOT_KEPT] }
  // a table that lists no columns has all of them, or none
  const isUnlisted = owner.list === 'sources' && present['columns'] === undefined
  const before = isUnlisted ? without(base, 'columns') : withNewNames(base, present, entry.renames)
  return compareEntries(before, present, '')
}

/** The only difference of an entry that is missing. */
export const ENTRY_REMOVED = 'its entry was removed'

const NOT_KEPT = 'its generated text is not on this machine, so the differences are unknown'

function without(entry: YamlEntry, key: string): YamlEntry {
  return Object.fromEntries(Object.entries(entry).filter(([other]) => other !== key))
}

/** Columns that are renamed in the SQL, or in the warehouse, may have their new names already. */
function withNewNames(base: YamlEntry, present: YamlEntry, renames: EntryInput['renames']): YamlEntry {
  const columns = columnsOf(base)
  if (!renames || renames.size === 0 || columns.length === 0) return base
  const there = new Set(columnsOf(present).map(({ name }) => name))
  return {
    ...base,
    columns: columns.map((column) => {
      const renamed = there.has(column.name) ? undefined : renames.get(column.name)
      return renamed === undefined ? column : { ...column, name: renamed }
    }),
  }
}

function lineOf(file: YamlFile, { owner }: EntryInput): number {
  const found = attempt(file, () => {
    const node = nodeAt(file, pathOfOwner(file, owner))
    return { offset: node ? lineStart(file.text, startOf(node)) : 0 }
  })
  return 'status' in found ? 1 : file.text.slice(0, found.offset).split('\n').length
}

/** Keys that are compared by their items. */
const LISTS = new Set(['name', 'columns', 'data_tests', 'tests'])

/** @param of Says which column the entry is about: ` of amount`. */
function compareEntries(base: YamlEntry, present: YamlEntry, of: string): Differences {
  return join([
    compareKeys(base, present, of),
    compareTests(testsOf(base), testsOf(present), of),
    compareColumns(base, present),
  ])
}

function compareKeys(base: YamlEntry, present: YamlEntry, of: string, above = ''): Differences {
  const keys = new Set([...Object.keys(base), ...Object.keys(present)])
  return join(
    [...keys]
      .filter((key) => above !== '' || !LISTS.has(key))
      .map((key) => {
        const [was, is, name] = [base[key], present[key], above + key]
        if (isSame(was, is)) return NONE
        if (was === undefined) return { added: [name + of], changed: [] }
        if (isEntry(was) && isEntry(is)) return compareKeys(was, is, of, `${name}.`)
        return { added: [], changed: [`${name}${of} ${isEmpty(is) ? 'removed' : 'changed'}`] }
      }),
  )
}

/** White space around a text is a matter of style: a block of YAML ends in a line break. */
function isSame(was: YamlValue | undefined, is: YamlValue | undefined): boolean {
  return typeof was === 'string' && typeof is === 'string'
    ? was.trim() === is.trim()
    : isDeepStrictEqual(was, is)
}

function isEmpty(value: YamlValue | undefined): boolean {
  return value === undefined || value === null || value === ''
}

function compareTests(base: readonly YamlValue[], present: readonly YamlValue[], of: string): Differences {
  const isIn = (tests: readonly YamlValue[], test: YamlValue): boolean =>
    tests.some((other) => isTheSame(test, other))
  const [removed, added] = [
    base.filter((test) => !isIn(present, test)),
    present.filter((test) => !isIn(base, test)),
  ]
  const names = new Set(added.map(nameOf))
  const changed = removed.filter((test) => names.has(nameOf(test)))
  return {
    added: added
      .filter((test) => !changed.some((other) => nameOf(other) === nameOf(test)))
      .map((test) => `test ${nameOf(test)}${of}`),
    changed: removed.map(
      (test) => `test ${nameOf(test)}${of} ${changed.includes(test) ? 'changed' : 'removed'}`,
    ),
  }
}

function isTheSame(a: YamlValue, b: YamlValue): boolean {
  const [one, other] = [readTest(a), readTest(b)]
  return one && other ? isSameTest(one, other) : isDeepStrictEqual(a, b)
}

function nameOf(test: YamlValue): string {
  return readTest(test)?.name ?? JSON.stringify(test)
}

/** Lists of both spellings count, as people may write the other one. */
function testsOf(entry: YamlEntry): readonly YamlValue[] {
  return ['data_tests', 'tests'].flatMap((key): readonly YamlValue[] => {
    const tests = entry[key]
    return Array.isArray(tests) ? (tests as readonly YamlValue[]) : []
  })
}

function compareColumns(base: YamlEntry, present: YamlEntry): Differences {
  const [were, are] = [base, present].map(
    (entry) => new Map(columnsOf(entry).map((column) => [column.name.toLowerCase(), column] as const)),
  )
  if (!were || !are) return NONE
  const kept = [...were].map(([key, column]) => {
    const is = are.get(key)
    return is
      ? compareEntries(column, is, ` of ${column.name}`)
      : { added: [], changed: [`column ${column.name} removed`] }
  })
  const added = [...are].flatMap(([key, { name }]) => (were.has(key) ? [] : [`column ${name}`]))
  return join([...kept, { added, changed: [] }])
}

function join(parts: readonly Differences[]): Differences {
  return {
    added: parts.flatMap(({ added }) => added),
    changed: parts.flatMap(({ changed }) => changed),
  }
}

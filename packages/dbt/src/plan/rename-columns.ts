import { compareName } from '../merge/output-name.ts'
import { scanSql, type SqlSyntax } from '../merge/scan-sql.ts'
import { asEntry } from '../yaml/change.ts'
import { isNamed } from './entry-edits.ts'
import type { YamlEntry, YamlValue } from '../yaml/yaml-edit.ts'
import type { ColumnNames } from './selected-names.ts'

/** Facts about other models, by name, for tests that refer to them. */
export interface References {
  readonly names: ReadonlyMap<string, ColumnNames>
  /** Models that may leave out rows. */
  readonly filtered: ReadonlySet<string>
}

export interface Renaming {
  /** The names of the columns of the entry itself. */
  readonly names: ColumnNames
  readonly references: References
  readonly syntax: SqlSyntax
}

type Named = YamlEntry & { readonly name: string }

/**
 * Adapts the entry of a model to the names that it selects. Columns that it does not select are left out, with their
 * tests.
 */
export function renameColumns(entry: Named, renaming: Renaming): Named {
  const { names, references } = renaming
  if (names.size + references.names.size + references.filtered.size === 0) return entry
  return changed(entry, {
    columns: (columns) => list(columns).flatMap((column) => renameColumn(column, renaming)),
    tests: (tests) => list(tests).flatMap((test) => renameInTest(test, renaming) ?? []),
  })
}

function renameColumn(column: YamlValue, renaming: Renaming): readonly YamlValue[] {
  if (!isNamed(column)) return [column]
  const name = renaming.names.get(column.name)
  if (name === null) return []
  const { quote: _, ...rest } = column
  const renamed = name ? { ...(name.isQuoted ? { ...rest, quote: true } : rest), name: name.name } : column
  const tests = (own: YamlValue): readonly YamlValue[] =>
    list(own).flatMap((test) => renameReference(test, renaming) ?? [])
  return [changed(renamed, { tests })]
}

interface Changes {
  readonly columns?: (value: YamlValue) => readonly YamlValue[]
  readonly tests: (value: YamlValue) => readonly YamlValue[]
}

/** Changes the lists of an entry, and drops empty ones. */
function changed<Entry extends YamlEntry>(entry: Entry, { columns, tests }: Changes): Entry {
  const pairs = Object.entries(entry).flatMap(([key, value]): readonly (readonly [string, YamlValue])[] => {
    const change = key === 'columns' ? columns : key === 'data_tests' || key === 'tests' ? tests : undefined
    const now = change ? change(value) : value
    return Array.isArray(now) && now.length === 0 ? [] : [[key, now]]
  })
  return Object.fromEntries(pairs) as Entry
}

function list(value: YamlValue | undefined): readonly YamlValue[] {
  return Array.isArray(value) ? (value as readonly YamlValue[]) : []
}

/** The arguments of a test that name columns of its own model. */
const OWN_COLUMNS = new Set(['column_name', 'combination_of_columns', 'expression', 'where'])

/**
 * Adapts a test of the model itself, which names columns in lists and in SQL. Undefined if one of them is not
 * selected.
 */
function renameInTest(test: YamlValue, renaming: Renaming): YamlValue | undefined {
  const lost = { found: false }
  const rename = (value: YamlValue): YamlValue => {
    if (Array.isArray(value)) return value.map(rename)
    return typeof value === 'string' ? renameInSql(value, renaming, lost) : value
  }
  const renamed = withArguments(test, (key, value) => (OWN_COLUMNS.has(key) ? rename(value) : value))
  return lost.found ? undefined : renameReference(renamed, renaming)
}

/** Replaces generated names by selected ones. */
function renameInSql(text: string, { names, syntax }: Renaming, lost: { found: boolean }): string {
  const known = new Map(
    [...names].map(([name, selected]) => [compareName(wordOf(name), syntax), selected] as const),
  )
  const plain = known.get(compareName(wordOf(text), syntax))
  if (plain) return plain.name
  return scanSql(text, syntax)
    .map((token) => {
      const name =
        token.kind === 'word' || token.kind === 'name' ? known.get(compareName(token, syntax)) : undefined
      if (name === null) lost.found = true
      return name ? (name.isQuoted ? `"${name.name}"` : name.name) : token.text
    })
    .join('')
}

function wordOf(text: string): Parameters<typeof compareName>[0] {
  return { kind: 'word', text, start: 0, end: text.length }
}

/**
 * Adapts a test that refers to a column of another model; undefined if that model does not select it. Rows that the
 * model may leave out make the test a warning.
 */
function renameReference(test: YamlValue, { references }: Renaming): YamlValue | undefined {
  const [arguments_] = Object.values(asEntry(test))
  const own = { ...asEntry(arguments_), ...asEntry(asEntry(arguments_)['arguments']) }
  const { field, to } = own
  const [, model = ''] = (typeof to === 'string' && /^ref\(\s*['"]([^'"]+)['"]\s*\)$/.exec(to.trim())) || []
  const name = typeof field === 'string' ? references.names.get(model)?.get(field) : undefined
  if (name === null) return undefined
  const renamed = name ? withArguments(test, (key, value) => (key === 'field' ? name.name : value)) : test
  return references.filtered.has(model) ? asWarning(renamed) : renamed
}

function asWarning(test: YamlValue): YamlValue {
  const warned = (value: YamlValue): YamlEntry => {
    const entry = asEntry(value)
    return { ...entry, config: { severity: 'warn', ...asEntry(entry['config']) } }
  }
  return Object.fromEntries(Object.entries(asEntry(test)).map(([name, value]) => [name, warned(value)]))
}

/** Changes the arguments of a test, in either form. */
function withArguments(test: YamlValue, change: (key: string, value: YamlValue) => YamlValue): YamlValue {
  const entry = asEntry(test)
  if (Object.keys(entry).length === 0) return test
  const inner = (value: YamlValue): YamlValue => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, key === 'arguments' ? inner(one) : change(key, one)]),
    )
  }
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, inner(value)]))
}

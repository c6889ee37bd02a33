// What an edit means, worked out on plain data: the yardstick for edits of text.
import type { YamlEdit, YamlOwner } from '@stagecraft/dbt'
import { pick, type Random } from './hand-written-yaml.ts'

/** Parsed YAML; tests change it in place. */
interface Named {
  name?: string
  description?: unknown
  columns?: Named[] | null
  tables?: Named[] | null
  [key: string]: unknown
}

export type Properties = Record<string, Named[] | null | undefined>

/** Everything in a file that has columns. */
function ownersOf(data: Properties): readonly YamlOwner[] {
  const own = (['models', 'seeds', 'snapshots'] as const).flatMap((list) =>
    (data[list] ?? []).map(({ name = '' }) => ({ list, name })),
  )
  const tables = (data['sources'] ?? []).flatMap(({ name = '', tables }) =>
    (tables ?? []).map(({ name: table = '' }) => ({ list: 'sources' as const, name, table })),
  )
  return [...own, ...tables]
}

function entryOf(data: Properties, owner: YamlOwner): Named {
  const found = data[owner.list]?.find(({ name }) => name === owner.name)
  const table = owner.list === 'sources' ? owner.table : undefined
  const entry = table === undefined ? found : found?.tables?.find(({ name }) => name === table)
  if (!entry) throw new Error(`no ${owner.list} ${owner.name}`)
  return entry
}

/** Draws an edit that has something to do in a file. */
export function drawEdit(random: Random, data: Properties): YamlEdit {
  const owners = ownersOf(data)
  const [first, ...others] = owners
  const source = data['sources']?.[0]?.name
  if (!first || (source !== undefined && random(6) === 0)) {
    const table = {
      name: `${pick(random, ['a', 'm', 'z'])}_new`,
      description: 'It is: new',
      columns: [{ name: 'id' }],
    }
    return { kind: 'add-table', source: source ?? 's0', table }
  }
  const owner = pick(random, [first, ...others])
  const columns = (entryOf(data, owner).columns ?? []).map(({ name = '' }) => name)
  const column = columns[random(Math.max(1, columns.length))]
  const described = (entryOf(data, owner).columns ?? [])
    .concat(entryOf(data, owner))
    .find(({ description }) => typeof description === 'string' && description !== '')
  if (described && random(8) === 0) return removalOf(described, entryOf(data, owner), owner)
  const ofOwner = drawOfOwner(random, owner, columns)
  return column === undefined || random(3) === 0 ? ofOwner : drawOfColumn(random, owner, column)
}

function removalOf({ description, name }: Named, entry: Named, owner: YamlOwner): YamlEdit {
  const isColumn = entry.columns?.some((column) => column.name === name && column.description === description)
  return {
    kind: 'remove-property',
    owner,
    ...(isColumn && name !== undefined && { column: name }),
    key: 'description',
    expected: String(description),
  }
}

function drawOfOwner(random: Random, owner: YamlOwner, columns: readonly string[]): YamlEdit {
  const after = columns[random(columns.length + 1)]
  const column = {
    name: pick(random, ['new_column', 'on', '12:30', 'with space']),
    description: pick(random, ["It's new", 'Two: parts # here', 'first\nsecond', '{{ no_jinja }}']),
    data_tests: ['not_null', { accepted_values: { arguments: { values: ['a', 'yes', '1'] } } }],
  }
  const list = owner.list
  return pick<YamlEdit>(random, [
    { kind: 'add-column', owner, column, ...(after !== undefined && { after }) },
    { kind: 'set-property', owner, key: 'description', value: pick(random, ["What's: this", 'plain']) },
    {
      kind: 'add-tests',
      owner,
      tests: [{ 'dbt_utils.unique_combination_of_columns': { combination_of_columns: ['a', 'b'] } }],
    },
    { kind: 'remove-entry', owner },
    {
      kind: 'add-entry',
      list,
      entry: { name: 'k_new', description: 'One', columns: [{ name: 'id', data_tests: ['unique'] }] },
    },
  ])
}

function drawOfColumn(random: Random, owner: YamlOwner, column: string): YamlEdit {
  return pick<YamlEdit>(random, [
    { kind: 'remove-column', owner, column },
    {
      kind: 'set-property',
      owner,
      column,
      key: 'description',
      value: pick(random, ["Who's: there", 'on', 'x']),
    },
    { kind: 'set-property', owner, column, key: 'data_type', value: 'numeric(14, 2)' },
    { kind: 'add-tests', owner, column, tests: ['unique', 'not_null'] },
    {
      kind: 'add-tests',
      owner,
      column,
      tests: [{ relationships: { arguments: { to: "ref('x')", field: 'id' } } }],
    },
  ])
}

/** Does an edit on data. Only for edits that the text editor says it has done. */
export function editData(data: Properties, edit: YamlEdit): void {
  if (edit.kind === 'add-table') addTable(data, edit.source, edit.table)
  else if (edit.kind === 'add-entry') addSorted((data[edit.list] ??= []), edit.entry, edit.list !== 'sources')
  else if (edit.kind === 'remove-entry') removeEntry(data, edit.owner)
  else if (edit.kind === 'set-value') setAt(data, edit.path, edit.value)
  else editEntry(entryOf(data, edit.owner), edit)
}

function setAt(data: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) data[key] = value
  else setAt((data[key] ??= {}) as Record<string, unknown>, rest, value)
}

function addTable(data: Properties, name: string, table: Named): void {
  const source = data['sources']?.find((source) => source.name === name)
  if (source) addSorted((source.tables ??= []), table, true)
}

function addSorted(items: Named[], item: Named, sorts: boolean): void {
  const names = items.map(({ name = '' }) => name)
  const isSorted = sorts && names.join('\n') === names.toSorted().join('\n')
  const index = isSorted ? names.findIndex((name) => name > (item.name ?? '')) : -1
  items.splice(index === -1 ? items.length : index, 0, item)
}

function removeEntry(data: Properties, owner: YamlOwner): void {
  const entry = entryOf(data, owner)
  if (owner.list === 'sources' && owner.table !== undefined)
    removeItem(entryOf(data, { list: 'sources', name: owner.name }), 'tables', entry)
  else removeItem(data, owner.list, entry)
}

function removeItem(holder: Record<string, unknown>, key: string, item: Named): void {
  const rest = (holder[key] as Named[]).filter((other) => other !== item)
  if (rest.length === 0) delete holder[key]
  else holder[key] = rest
}

type EntryEdit = Exclude<YamlEdit, { kind: 'add-table' | 'add-entry' | 'remove-entry' | 'set-value' }>

function editEntry(entry: Named, edit: EntryEdit): void {
  const columns = (entry.columns ??= [])
  if (edit.kind === 'add-column') {
    const index = columns.findIndex(({ name }) => name === edit.after)
    columns.splice(index === -1 ? columns.length : index + 1, 0, edit.column)
  } else {
    const column = columns.find(({ name }) => name === edit.column)
    if (edit.kind === 'remove-column') removeItem(entry, 'columns', column ?? {})
    else if (edit.kind === 'set-property') (column ?? entry)[edit.key] = edit.value
    else if (edit.kind === 'remove-property') delete (column ?? entry)[edit.key]
    else if (edit.kind === 'add-tests') addTests(column ?? entry, edit.tests)
  }
  if (Array.isArray(entry.columns) && entry.columns.length === 0) delete entry.columns
}

function addTests(entry: Named, tests: readonly unknown[]): void {
  const key = 'data_tests' in entry ? 'data_tests' : 'tests' in entry ? 'tests' : 'data_tests'
  const present = (entry[key] ?? []) as unknown[]
  const names = new Set(present.map(nameOfTest))
  entry[key] = [...present, ...tests.filter((test) => !names.has(nameOfTest(test)))]
}

function nameOfTest(test: unknown): string | undefined {
  return typeof test === 'string' ? test : Object.keys(test as object)[0]
}

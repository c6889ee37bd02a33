import { printItem } from '@stagecraft/core/run'
import type { LockedPart } from '../lock/lock.ts'
import { editYaml } from '../yaml/edit-yaml.ts'
import type { YamlEdit, YamlEntry } from '../yaml/yaml-edit.ts'
import type { ArrangedTable, ArrangedTables } from './arrange-tables.ts'
import { type FileEntries, findTable, type GeneratedTable, readEntries } from './generated.ts'
import type { Present } from './present-files.ts'
import type { PlanInput } from './plan-input.ts'
import type { EntryInput, YamlInput } from './plan-yaml.ts'
import { findSource } from './project-view.ts'

/** An entry of a table, and the file that it belongs to. */
export interface ArrangedEntry extends EntryInput {
  readonly key: string
  readonly kind: 'properties' | 'source'
  readonly path: string
  /** The file it would be in if nobody else had one. */
  readonly generatedPath: string
  readonly isSelected: boolean
}

/** Returns the files that entries may belong to. */
export function yamlPaths({ gone, tables }: ArrangedTables, { project }: PlanInput): readonly string[] {
  const locked = [...tables, ...gone].flatMap(({ locked }) => locked ?? [])
  const names = new Set([...tables.map(({ model }) => model.name), ...locked.map(({ model }) => model.name)])
  const sources = new Set([
    ...tables.map(({ wanted }) => wanted.place.source),
    ...locked.map(({ source }) => source?.name),
  ])
  const paths = [
    ...tables.flatMap(({ wanted: { place } }) => [place.paths.modelYaml, place.paths.sourceYaml]),
    ...locked.flatMap(({ properties, source }) => [properties?.path, source?.path]),
    ...project.models.filter(({ name }) => names.has(name)).map(({ propertiesPath }) => propertiesPath),
    ...project.sources.filter(({ name }) => sources.has(name)).map(({ path }) => path),
  ]
  return [...new Set(paths)].filter((path) => path !== undefined)
}

/**
 * Returns the generated files that are as they should be, with tables that all are as they were: nothing in them has to be
 * looked at.
 */
export function settledFiles(
  { gone, tables, wanted }: ArrangedTables,
  input: PlanInput,
  present: Present,
): ReadonlySet<string> {
  const partsOf = ({
    locked,
    wanted: { place },
  }: ArrangedTable): readonly (readonly [string, string | undefined])[] => [
    [place.paths.modelYaml, locked?.properties?.path],
    [place.paths.sourceYaml, locked?.source?.path],
  ]
  const open = new Set([
    ...gone.flatMap(({ locked }) => [locked.properties?.path, locked.source?.path]),
    ...tables.flatMap((table) => {
      const isSame = isAsLocked(table, input)
      return partsOf(table).flatMap(([path, part]) => (isSame && part === path ? [] : [path, part]))
    }),
  ])
  return new Set(
    [...wanted.yaml]
      .filter(([path, { content }]) => !open.has(path) && present.text(path) === content)
      .map(([path]) => path),
  )
}

/** Tells whether the line of the lock would be written again as it is. */
function isAsLocked(
  { locked, model, wanted }: ArrangedTable,
  { generator, settings, setup }: PlanInput,
): boolean {
  return (
    locked?.generator === generator &&
    locked.settings === settings &&
    locked.dialect === setup.dialect &&
    model.owner === 'ours' &&
    printItem(locked.item) === printItem(wanted.item)
  )
}

export interface EntryPlaces {
  readonly present: Present
  readonly settled: ReadonlySet<string>
  /** Keys of tables that are gone and whose entries are removed. */
  readonly pruned: ReadonlySet<string>
}

/** Finds the entry of each table that is not in a settled file, and where one that is missing belongs. */
export function arrangeEntries(
  arranged: ArrangedTables,
  input: PlanInput,
  { present, pruned, settled }: EntryPlaces,
): readonly ArrangedEntry[] {
  const tables = arranged.tables.flatMap((table) => {
    const { modelYaml, sourceYaml } = table.wanted.place.paths
    return [
      ...(table.model.owner === 'ours' && !settled.has(modelYaml) ? propertiesOf(table, input, present) : []),
      ...(settled.has(sourceYaml) ? [] : sourceOf(table, input, present)),
    ]
  })
  const gone = arranged.gone
    .flatMap((one) => goneEntries(one, input, present))
    .map((entry) => ({ ...entry, isPruned: pruned.has(entry.key) }))
  return [...tables, ...gone]
}

/** A line of the lock whose part does not say anything counts as one that was never written. */
function propertiesOf(
  table: ArrangedTable,
  { project }: PlanInput,
  present: Present,
): readonly ArrangedEntry[] {
  const { base, key, locked, model, wanted } = table
  if (!wanted.properties) return []
  const { entry, list } = wanted.properties
  const generatedPath = wanted.place.paths.modelYaml
  const declared = project.models.find(({ name }) => name === model.name)?.propertiesPath
  const path = firstWith([declared, locked?.properties?.path, generatedPath], (one) =>
    present.entries(one).properties.has(model.name),
  )
  const found = present.entries(path).properties.get(model.name)
  return [
    {
      key,
      kind: 'properties',
      path,
      generatedPath,
      isSelected: table.isSelected,
      isPruned: false,
      owner: { list, name: model.name },
      covers: model.name,
      add: [{ kind: 'add-entry', list, entry }],
      present: found?.entry,
      wanted: entry,
      locked: locked?.properties,
      base: base?.properties?.entry,
    },
  ]
}

/** Returns the first path for which it holds, else the last one that is known. */
function firstWith(paths: readonly (string | undefined)[], holds: (path: string) => boolean): string {
  const known = paths.filter((path) => path !== undefined)
  return known.find(holds) ?? known.at(-1) ?? ''
}

function sourceOf(table: ArrangedTable, { project }: PlanInput, present: Present): readonly ArrangedEntry[] {
  const { base, key, locked, wanted } = table
  if (!wanted.source) return []
  const { place } = wanted
  const generatedPath = place.paths.sourceYaml
  const { table: stored } = wanted.item
  const declared =
    stored.name === undefined ? undefined : findSource(project, { ...stored, name: stored.name })
  const isDeclared = declared?.source.name === place.source
  const path = firstWith(
    [isDeclared ? declared.source.path : undefined, locked?.source?.path, generatedPath],
    (one) => {
      const entries = present.entries(one)
      return findTable(entries, place) !== undefined || (isDeclared && one === declared.source.path)
    },
  )
  return [
    {
      key,
      kind: 'source',
      path,
      generatedPath,
      isSelected: table.isSelected,
      isPruned: false,
      owner: { list: 'sources', name: place.source, table: place.table },
      covers: `${place.source}.${place.table}`,
      add: addTable(wanted.source, isDeclared),
      present: findTable(present.entries(path), place)?.table,
      wanted: wanted.source.table,
      locked: locked?.source,
      base: base?.source?.table,
    },
  ]
}

/** A source that no file declares is added first; that is not needed where another table has just brought it. */
function addTable(
  { entry, table }: NonNullable<GeneratedTable['source']>,
  isDeclared: boolean,
): readonly YamlEdit[] {
  const add: YamlEdit = { kind: 'add-table', source: entry.name, table }
  return isDeclared
    ? [add]
    : [{ kind: 'add-entry', list: 'sources', entry: { ...entry, tables: [table] } }, add]
}

function goneEntries(
  { base, key, locked }: ArrangedTables['gone'][number],
  { project }: PlanInput,
  present: Present,
): readonly ArrangedEntry[] {
  const { model, properties, source } = locked
  const common = { key, isSelected: true, isPruned: false, add: [], wanted: undefined } as const
  const declared = project.models.find(({ name }) => name === model.name)?.propertiesPath
  const entry = (
    part: LockedPart,
    path: string,
    rest: Pick<ArrangedEntry, 'base' | 'covers' | 'kind' | 'owner'>,
    found: YamlEntry | undefined,
  ): ArrangedEntry => ({
    ...common,
    ...rest,
    path,
    generatedPath: part.path,
    present: found,
    locked: part,
  })
  const entries: ArrangedEntry[] = []
  if (properties) {
    const path = firstWith([declared, properties.path], (one) =>
      present.entries(one).properties.has(model.name),
    )
    const found = present.entries(path).properties.get(model.name)
    const owner = { list: found?.list ?? 'models', name: model.name } as const
    entries.push(
      entry(
        properties,
        path,
        { kind: 'properties', covers: model.name, owner, base: base?.properties?.entry },
        found?.entry,
      ),
    )
  }
  if (source) {
    const owner = { list: 'sources', name: source.name, table: source.table } as const
    const found = findTable(present.entries(source.path), { source: source.name, table: source.table })?.table
    entries.push(
      entry(
        source,
        source.path,
        { kind: 'source', covers: `${source.name}.${source.table}`, owner, base: base?.source?.table },
        found,
      ),
    )
  }
  return entries
}

/** Puts together the entries of each file that a selected table has one in. */
export function arrangeFiles(
  entries: readonly ArrangedEntry[],
  arranged: ArrangedTables,
  { kept, present }: { readonly present: Present; readonly kept: ReadonlySet<string> },
): readonly YamlInput[] {
  const { base, wanted } = arranged
  const files = Map.groupBy(entries, ({ path }) => path)
  const known = knownEntries(entries, arranged)
  return [...files]
    .filter(([, own]) => own.some(({ isSelected }) => isSelected))
    .map(([path, own]) => ({
      path,
      present: present.text(path),
      whole: wholeText(path, entries, wanted.yaml.get(path)?.content),
      isGenerated: (text) =>
        (base.yaml.get(path)?.content === text || kept.has(text)) &&
        coveredBy(present.entries(path)).every((covers) => known.has(covers)),
      entries: own,
    }))
}

/** Everything that the lock or this plan answers for; entries of others, forgotten ones too, stay as they are. */
function knownEntries(
  entries: readonly ArrangedEntry[],
  { gone, tables }: ArrangedTables,
): ReadonlySet<string> {
  const locked = [...tables, ...gone].flatMap(({ locked }) => locked ?? [])
  return new Set([
    ...entries.map(({ covers }) => covers),
    ...locked.map(({ model }) => model.name),
    ...locked.flatMap(({ source }) => (source ? `${source.name}.${source.table}` : [])),
  ])
}

function coveredBy({ properties, tables }: FileEntries): readonly string[] {
  return [
    ...[...properties.values()].map(({ entry }) => entry.name),
    ...[...tables.values()].map(({ entry, table }) => `${entry.name}.${table.name}`),
  ]
}

/** The generated text of a file without the entries that have their place in another one. */
function wholeText(
  path: string,
  entries: readonly ArrangedEntry[],
  content: string | undefined,
): string | undefined {
  if (content === undefined) return undefined
  const ours = entries.filter((entry) => entry.generatedPath === path && entry.wanted)
  const elsewhere = new Set(ours.filter((entry) => entry.path !== path).map(({ covers }) => covers))
  const here = new Set(ours.filter((entry) => entry.path === path).map(({ covers }) => covers))
  const { properties, tables } = readEntries(content)
  const foreign = [
    ...[...properties.values()].map(({ entry, list }) => ({
      covers: entry.name,
      owner: { list, name: entry.name } as const,
    })),
    ...[...tables.values()].map(({ entry, table }) => ({
      covers: `${entry.name}.${table.name}`,
      owner: { list: 'sources', name: entry.name, table: table.name } as const,
    })),
  ].filter(({ covers }) => elsewhere.has(covers) || !here.has(covers))
  if (foreign.length === 0) return content
  if (here.size === 0) return undefined
  return editYaml(
    { path, text: content },
    foreign.map(({ owner }) => ({ kind: 'remove-entry', owner })),
  ).text
}

import { printItem } from '@stagecraft/core/run'
import type { YamlEdit, YamlEntry } from '../yaml/yaml-edit.ts'
import type { ArrangedTable, ArrangedTables } from './arrange-tables.ts'
import { freshnessEdits } from './freshness-edits.ts'
import { findTable, type GeneratedTable } from './generated.ts'
import type { ArrangedEntry } from './arranged-entry.ts'
import type { FollowedEntry } from './follow-entries.ts'
import { firstWith, formerProperties, goneEntries } from './former-entries.ts'
import type { Present } from './present-files.ts'
import { formerSource, isNewEntry, sourceMoves } from './move-source.ts'
import type { PlanInput } from './plan-input.ts'
import { movedSource } from './plan-models.ts'
import type { PlannedFile } from './plan-types.ts'
import { declaringPath, describingPath, findSource, undeclaredReaders } from './project-view.ts'
import { hasOwnNames, type ModelNames, renamesOf } from './model-names.ts'
import { renameColumns } from './rename-columns.ts'
import { describedAsNamed, withoutClaims } from './own-sql.ts'
import { isAsGenerated } from './entry-input.ts'

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
    ...(project.entries ?? []).filter(({ name }) => names.has(name)).map(({ path }) => path),
    ...project.sources.filter(({ name }) => sources.has(name)).map(({ path }) => path),
  ]
  return [...new Set(paths)].filter((path) => path !== undefined)
}

/** Returns the generated files that are up to date and whose tables are unchanged; they need no further checks. */
export function settledFiles(
  { gone, tables, wanted }: ArrangedTables,
  input: PlanInput,
  { names, present }: Pick<EntryPlaces, 'names' | 'present'>,
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
      const isSame = isAsLocked(table, input) && !movedSource(table)
      const hasNames = hasOwnNames(names, table.key)
      // the entry of a source does not depend on what the model selects
      return partsOf(table).flatMap(([path, part], at) =>
        isSame && part === path && !(hasNames && at === 0) ? [] : [path, part],
      )
    }),
  ])
  const { before, after } = names
  const changed = [before.references.names, after.references.names, after.references.filtered]
  const renamed = changed.flatMap((models) => [...models.keys()])
  return new Set(
    [...wanted.yaml]
      .filter(([path, { content }]) => !open.has(path) && present.text(path) === content)
      .filter(([, { content }]) => renamed.every((model) => !content.includes(model)))
      .map(([path]) => path),
  )
}

/** Returns true if the line of the lock would not change. */
export function isAsLocked(
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
  readonly names: ModelNames
  /** Entries that followed their models, by the key of the table. */
  readonly followed: ReadonlyMap<string, FollowedEntry>
  readonly settled: ReadonlySet<string>
  /** Keys of deleted tables whose entries are removed. */
  readonly pruned: ReadonlySet<string>
  /** Names of models that pruning removes. */
  readonly removed: ReadonlySet<string>
  /** The planned models. */
  readonly sql: readonly PlannedFile[]
}

/** Finds the entry of each table outside of settled files, and the place of missing ones. */
export function arrangeEntries(
  arranged: ArrangedTables,
  input: PlanInput,
  { followed, names, present, pruned, removed, settled, sql }: EntryPlaces,
): readonly ArrangedEntry[] {
  const moves = sourceMoves(arranged, input, sql)
  const tables = arranged.tables.flatMap((table) => {
    const { modelYaml, sourceYaml } = table.wanted.place.paths
    return [
      ...(table.model.owner === 'ours' && !settled.has(modelYaml)
        ? propertiesOf(table, input, { followed, names, present, removed })
        : []),
      ...(settled.has(sourceYaml) || moves.waiting.has(table.key)
        ? []
        : sourceOf(table, input, { present, sql })),
    ]
  })
  const gone = arranged.gone
    .flatMap((one) => goneEntries(one, input, present))
    .map((entry) => ({ ...entry, isPruned: pruned.has(entry.key) && !entry.isRead }))
  // a renamed model leaves its former entry behind, unless the entry followed it
  const former = arranged.tables
    .filter((table) => isRenamed(table, { project: input.project, removed }))
    .flatMap(({ key, locked }) => (locked ? formerProperties({ key, locked }, input, present) : []))
    .filter((entry) => entry.present !== undefined)
    .map((entry) => ({ ...entry, isPruned: true }))
  return [
    ...tables,
    ...former,
    ...moves.tables.flatMap((table) => formerSource(table, { present, project: input.project })),
    ...gone,
  ]
}

/**
 * An empty part of a line of the lock counts as never written, and so does that of a model with another former name.
 */
function propertiesOf(
  table: ArrangedTable,
  { project, syntax }: PlanInput,
  { followed, names, present, removed }: Pick<EntryPlaces, 'followed' | 'names' | 'present' | 'removed'>,
): readonly ArrangedEntry[] {
  const { base, key, locked, model, wanted } = table
  if (!wanted.properties) return []
  const { entry: generated, list } = wanted.properties
  const said = (
    from: GeneratedTable,
    { own, references, sql }: ModelNames['after'],
  ): typeof generated | undefined => {
    const does = sql.get(key)
    const plain = from.properties?.entry
    const entry = plain && does ? withoutClaims(plain, from.claims(), does) : plain
    const names = own.get(key)
    const described =
      entry && names ? describedAsNamed(entry, { claims: from.claims(), names, sql: does }) : entry
    return described && renameColumns(described, { names: names ?? new Map(), references, syntax })
  }
  const entry = said(wanted, names.after) ?? generated
  const generatedPath = wanted.place.paths.modelYaml
  const { formerName, path: followedPath } = followed.get(key) ?? {}
  const declared = followedPath ?? describingPath(project, model.name)
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
      generated,
      names: names.after.own.get(key),
      renames: renamesOf(names, key),
      locked:
        formerName === undefined && isRenamed(table, { project, removed }) && !isOfLock(table, path, present)
          ? undefined
          : locked?.properties,
      // a person may have renamed it with its model
      formerName: formerName ?? (locked && locked.model.name !== model.name ? locked.model.name : undefined),
      base: base && said(base, names.base),
      sql: names.after.sql.get(key),
    },
  ]
}

/** Returns true if an entry with the present name of the model is that of the lock: the only one, or as generated. */
function isOfLock({ locked, model }: ArrangedTable, path: string, present: Present): boolean {
  const { properties } = present.entries(path)
  const entry = properties.get(model.name)?.entry
  if (!entry || locked?.properties?.path !== path) return false
  const formerName = locked.model.name
  return (
    !properties.has(formerName) || isAsGenerated({ formerName, locked: locked.properties, present: entry })
  )
}

/** Returns true if a model is renamed and its former file is removed, or a person deleted it. */
function isRenamed(
  { locked, model }: ArrangedTable,
  { project, removed }: Pick<PlanInput, 'project'> & Pick<EntryPlaces, 'removed'>,
): boolean {
  const former = locked?.model.name
  if (former === undefined || former === model.name) return false
  return removed.has(former) || (!model.byHand && project.models.every(({ name }) => name !== former))
}

function sourceOf(
  table: ArrangedTable,
  { project, setup: { config = {} } }: PlanInput,
  { present, sql }: Pick<EntryPlaces, 'present' | 'sql'>,
): readonly ArrangedEntry[] {
  const { base, key, locked, model, wanted } = table
  if (!wanted.source || model.conflict?.kind === 'source') return []
  const { place } = wanted
  const generatedPath = place.paths.sourceYaml
  const { table: stored } = wanted.item
  const declared =
    stored.name === undefined ? undefined : findSource(project, { ...stored, name: stored.name })
  const isDeclared = declared?.source.name === place.source
  const path = firstWith(
    [
      declaringPath(project, place),
      isDeclared ? declared.source.path : undefined,
      locked?.source?.path,
      generatedPath,
    ],
    (one) => {
      const entries = present.entries(one)
      return findTable(entries, place) !== undefined || (isDeclared && one === declared.source.path)
    },
  )
  const found = findTable(present.entries(path), place)
  const written = found?.table
  const covers = `${place.source}.${place.table}`
  const owner = { list: 'sources', name: place.source, table: place.table } as const
  const created = sql.filter((file) => file.path === model.path && file.action === 'create')
  const undeclaredIn = written
    ? []
    : [...undeclaredReaders(project, place), ...created.map((file) => ({ path: file.path, line: 1 }))]
  return [
    {
      key,
      kind: 'source',
      path,
      generatedPath,
      isSelected: table.isSelected,
      isPruned: false,
      owner,
      covers,
      ...(found && {
        asked: freshnessEdits(wanted, config, { covers, owner, table: found.table, source: found.entry }),
      }),
      add: addTable(wanted.source, isDeclared),
      present: written,
      wanted: wanted.source.table,
      renames: table.renames,
      locked: isNewEntry(table, written, { present, project }) ? undefined : locked?.source,
      undeclaredIn,
      base: base?.source?.table,
      ...(table.renamedFrom !== undefined && { identifier: identifierOf(table, written) }),
    },
  ]
}

/** The stored name of a renamed table, before and now, as YAML has it. */
function identifierOf(
  { renamedFrom, wanted }: ArrangedTable,
  written: YamlEntry | undefined,
): ArrangedEntry['identifier'] {
  const [was, is] = [written, wanted.source?.table].map((table) => table?.['identifier'])
  const isFormer = typeof was === 'string' && was.toLowerCase() === renamedFrom?.toLowerCase()
  return { was: isFormer ? was : undefined, is: typeof is === 'string' ? is : wanted.place.table }
}

/** Adds an undeclared source first, unless another table has just added it. */
function addTable(
  { entry, table }: NonNullable<GeneratedTable['source']>,
  isDeclared: boolean,
): readonly YamlEdit[] {
  const add: YamlEdit = { kind: 'add-table', source: entry.name, table }
  return isDeclared
    ? [add]
    : [{ kind: 'add-entry', list: 'sources', entry: { ...entry, tables: [table] } }, add]
}

import type { EditedItem } from '@stagecraft/core/run'
import type { YamlEntry } from '../yaml/yaml-edit.ts'
import { hashData, hashText } from '../lock/hashes.ts'
import {
  changeLock,
  lockKey,
  type Lock,
  type LockedPart,
  type LockedSql,
  type LockedTable,
} from '../lock/lock.ts'
import type { ArrangedTable, ArrangedTables } from './arrange-tables.ts'
import { isAsLocked } from './arrange-yaml.ts'
import type { ArrangedEntry } from './arranged-entry.ts'
import { columnsOf } from './entry-edits.ts'
import type { FollowedInput } from './follow-renames.ts'
import { type FileEntries, findTable } from './generated.ts'
import { type Present, presentFiles } from './present-files.ts'
import { lockedKeys } from './follow-settings.ts'
import type { Lost } from './still-read.ts'
import type { OwnSql } from './own-sql.ts'
import { isAsGenerated } from './entry-input.ts'
import type { PlannedFile } from './plan-types.ts'
import { declarationRead } from './project-view.ts'

export interface Planned {
  readonly arranged: ArrangedTables
  readonly entries: readonly ArrangedEntry[]
  readonly files: readonly PlannedFile[]
  readonly lost: Pick<Lost, 'columns'>
}

/**
 * Returns the lock after applying a plan without its files in conflict. Tables of such files keep their former state,
 * so the next plan has the same base.
 */
export function nextLock({ arranged, entries, files, lost }: Planned, input: FollowedInput): Lock {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const isOpen = (path: string | undefined): boolean =>
    path !== undefined && byPath.get(path)?.action === 'conflict' && input.settlement === undefined
  const own = Map.groupBy(entries, ({ key }) => key)
  const after = presentFiles(new Map(files.map((file) => [file.path, file.after])))
  const tables = arranged.tables.flatMap((table) => {
    const line = lineOf(table, own.get(table.key) ?? [], { after, input, isOpen, lost })
    return line ? [[table.key, line] as const] : []
  })
  const live = new Set(arranged.tables.map(({ model }) => model.path))
  const gone = arranged.gone
    .filter(
      ({ key, locked }) =>
        (input.prune === true && live.has(locked.model.path)) ||
        isRemoved(
          [locked.model.path, ...(own.get(key) ?? []).map(({ path }) => path)],
          byPath,
          locked,
          (own.get(key) ?? []).filter(
            ({ isPruned, path }) => !isPruned || byPath.get(path)?.action === 'conflict',
          ),
        ),
    )
    .map(({ key }) => [key, undefined] as const)
  return changeLock(input.lock, [...tables, ...gone])
}

interface LineContext {
  /** The files after the plan. */
  readonly after: Present
  readonly input: FollowedInput
  readonly isOpen: (path: string | undefined) => boolean
  readonly lost: Planned['lost']
}

function lineOf(
  table: ArrangedTable,
  entries: readonly ArrangedEntry[],
  { after, input, isOpen, lost: { columns } }: LineContext,
): Omit<LockedTable, 'revision'> | undefined {
  const { isSelected, key, locked, model, wanted } = table
  if (model.owner !== 'ours') return locked
  // Adopting writes only the lock, and a model that follows its table already is not adopted again.
  if (input.adopt && locked?.model.path === model.path) return locked
  if (!isSelected)
    return locked && !input.adopt ? withChangedParts(locked, entries, { after, isOpen }) : locked
  const properties = entries.find(({ kind }) => kind === 'properties')
  const source = entries.find(({ kind }) => kind === 'source')
  const parts = {
    properties:
      withColumnNames(partOf(properties, { after, input, isOpen }), properties, {
        locked: locked?.properties,
        isAdopted: input.adopt !== undefined,
      }) ?? locked?.properties,
    source:
      adoptedSource({ locked, model, wanted }, input) ??
      withNames(partOf(source, { after, input, isOpen }, locked?.source), wanted) ??
      locked?.source,
  }
  const waits = [model.path, properties?.path, source?.path].some(isOpen)
  const isNewModel = !isOpen(model.path)
  const { names, staged } = locked && (waits || isAsLocked(table, input)) ? locked : namesOf(wanted)
  const former = waits ? locked?.former : lockedKeys(input.followed.former.get(lockKey(wanted.item)) ?? [])
  const lost = waits ? locked?.lost : columns.get(key)
  if (!locked && !isNewModel) return undefined
  return {
    item: waits && locked ? locked.item : withoutNames(wanted.item),
    generator: input.generator,
    dialect: input.setup.dialect,
    settings: input.settings,
    model:
      isNewModel || !locked
        ? {
            name: model.name,
            path: model.path,
            sha256: hashText(wanted.sql),
            ...(model.byHand && { byHand: true }),
          }
        : locked.model,
    ...parts,
    ...(names && { names }),
    ...(staged && { staged }),
    ...(former && { former }),
    ...(lost && { lost }),
  }
}

/** A table that was not requested keeps its line, but for generated entries in which the requested ones changed something. */
function withChangedParts(
  locked: LockedTable,
  entries: readonly ArrangedEntry[],
  { after, isOpen }: Pick<LineContext, 'after' | 'isOpen'>,
): LockedTable {
  const changed = entries.flatMap((entry) => {
    const part = locked[entry.kind]
    const written = entry.wanted && entryIn(after.entries(entry.path), entry)
    if (!part || !written || isOpen(entry.path) || !isAsGenerated(entry)) return []
    return [[entry.kind, { ...part, sha256: hashData(written) }] as const]
  })
  return { ...locked, ...Object.fromEntries(changed) }
}

/** The names are stored beside the item: they affect its output, but are not part of its input. */
function withoutNames({ names: _, ...item }: EditedItem): EditedItem {
  return item
}

function namesOf(wanted: ArrangedTable['wanted']): Pick<LockedTable, 'names' | 'staged'> {
  const { all, kept } = wanted.names()
  const changed = [...all].filter(([stored, name]) => name !== stored.toLowerCase())
  return {
    names: kept.size > 0 ? Object.fromEntries(kept) : undefined,
    staged: Object.fromEntries(changed),
  }
}

function partOf(
  entry: ArrangedEntry | undefined,
  { after, input, isOpen }: Omit<LineContext, 'lost'>,
  former?: LockedPart,
): LockedPart | undefined {
  if (!entry?.wanted || isOpen(entry.path)) return undefined
  // Adopting writes only the lock.
  if (input.adopt) return entry.present && { path: entry.path, sha256: hashData(entry.wanted) }
  // An entry that a person wrote before the first lock stays theirs. A table that moves there is followed there.
  const isTheirs = entry.present && !entry.locked && !former && !isSameEntry(entry.present, entry.wanted)
  // A file that is replaced as a whole has it as generated.
  const written = isTheirs ? entryIn(after.entries(entry.path), entry) : undefined
  if (isTheirs && !(written && isSameEntry(written, entry.wanted))) return undefined
  return { path: entry.path, sha256: hashData(entry.wanted) }
}

/** An adopted model may read its table by other names than those of the configuration, under which it is followed. */
function adoptedSource(
  { locked, model, wanted }: Pick<ArrangedTable, 'locked' | 'model' | 'wanted'>,
  { adopt, project }: FollowedInput,
): LockedTable['source'] {
  const { item, place, source } = wanted
  const { name } = item.table
  if (locked || !source || name === undefined || !adopt?.has(model.path)) return undefined
  const read = declarationRead(project, model.path, { ...item.table, name })
  if (!read || (read.source === place.source && read.table === place.table)) return undefined
  const entry = { ...source.table, name: read.table }
  return { path: read.path, sha256: hashData(entry), name: read.source, table: read.table }
}

function withColumnNames(
  part: LockedPart | undefined,
  entry: ArrangedEntry | undefined,
  { isAdopted, locked }: { readonly isAdopted: boolean; readonly locked: LockedTable['properties'] },
): LockedTable['properties'] {
  const columns = new Set(columnsOf(entry?.present ?? {}).map(({ name }) => name))
  // An adopted entry may still have the generated name of a column, which the next plan changes.
  const isOpen = (name: string, own: string): boolean => isAdopted && columns.has(name) && !columns.has(own)
  const names = [...(entry?.names ?? [])].flatMap(([name, own]) =>
    own && isOpen(name, own.name) ? [] : [[name, own?.name ?? null] as const],
  )
  return (
    part && {
      ...part,
      ...(isPlacedByHand(part, entry, locked) && { byHand: true }),
      ...(names.length > 0 && { names: Object.fromEntries(names) }),
      ...(entry?.sql && { sql: printSql(entry.sql) }),
    }
  )
}

/** An entry outside its file was put there by a person, unless the configuration changed since it was generated. */
function isPlacedByHand(
  { path }: LockedPart,
  entry: ArrangedEntry | undefined,
  locked: LockedTable['properties'],
): boolean {
  if (path === entry?.generatedPath) return false
  return path === locked?.path ? locked.byHand === true : true
}

function printSql({ columns, rows }: OwnSql): LockedSql {
  return {
    ...(columns.size > 0 && { columns: Object.fromEntries(columns) }),
    ...(rows.size > 0 && { rows: [...rows] }),
  }
}

function entryIn(entries: FileEntries, { owner }: ArrangedEntry): YamlEntry | undefined {
  return owner.list === 'sources' && owner.table !== undefined
    ? findTable(entries, { source: owner.name, table: owner.table })?.table
    : entries.properties.get(owner.name)?.entry
}

function isSameEntry(a: YamlEntry, b: YamlEntry): boolean {
  return hashData(a) === hashData(b)
}

function withNames(part: LockedPart | undefined, { place }: ArrangedTable['wanted']): LockedTable['source'] {
  return part && { ...part, name: place.source, table: place.table }
}

/** Returns true if nothing generated for a table is left; parts that a person wrote and pruning kept do not count. */
function isRemoved(
  [model = '', ...rest]: readonly string[],
  files: ReadonlyMap<string, PlannedFile>,
  locked: LockedTable,
  entries: readonly ArrangedEntry[],
): boolean {
  const isWithout = (path: string): boolean => files.get(path)?.after === undefined
  const left = entries.filter(
    ({ path, present }) => present && files.get(path)?.after === files.get(path)?.before,
  )
  return isWithout(model) && rest.every((path) => path !== locked.model.path) && left.length === 0
}

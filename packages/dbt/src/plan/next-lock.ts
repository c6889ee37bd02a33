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
import type { ArrangedEntry } from './arranged-entry.ts'
import type { FollowedInput } from './follow-renames.ts'
import { lockedKeys } from './follow-settings.ts'
import type { Lost } from './still-read.ts'
import type { OwnSql } from './own-sql.ts'
import type { PlannedFile } from './plan-types.ts'

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
  const tables = arranged.tables.flatMap((table) => {
    const line = lineOf(table, own.get(table.key) ?? [], { input, isOpen, lost })
    return line ? [[table.key, line] as const] : []
  })
  const gone = arranged.gone
    .filter(({ key, locked }) =>
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
  readonly input: FollowedInput
  readonly isOpen: (path: string | undefined) => boolean
  readonly lost: Planned['lost']
}

function lineOf(
  { isSelected, key, locked, model, wanted }: ArrangedTable,
  entries: readonly ArrangedEntry[],
  { input, isOpen, lost: { columns } }: LineContext,
): Omit<LockedTable, 'revision'> | undefined {
  if (model.owner !== 'ours') return locked
  const properties = entries.find(({ kind }) => kind === 'properties')
  const source = entries.find(({ kind }) => kind === 'source')
  const parts = {
    properties:
      withColumnNames(partOf(properties, { input, isOpen }), properties, locked?.properties) ??
      locked?.properties,
    source: withNames(partOf(source, { input, isOpen }, locked?.source), wanted) ?? locked?.source,
  }
  if (!isSelected) return locked && { ...locked, ...parts }
  const waits = [model.path, properties?.path, source?.path].some(isOpen)
  const isNewModel = !isOpen(model.path)
  const kept = waits && locked ? locked.names : keptNames(wanted)
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
    ...(kept && { names: kept }),
    ...(former && { former }),
    ...(lost && { lost }),
  }
}

/** The names are stored beside the item: they affect its output, but are not part of its input. */
function withoutNames({ names: _, ...item }: EditedItem): EditedItem {
  return item
}

function keptNames(wanted: ArrangedTable['wanted']): LockedTable['names'] {
  const { kept } = wanted.names()
  return kept.size > 0 ? Object.fromEntries(kept) : undefined
}

function partOf(
  entry: ArrangedEntry | undefined,
  { input, isOpen }: Omit<LineContext, 'lost'>,
  former?: LockedPart,
): LockedPart | undefined {
  if (!entry?.wanted || isOpen(entry.path)) return undefined
  // Adopting writes only the lock.
  if (input.adopt) return entry.present && { path: entry.path, sha256: hashData(entry.wanted) }
  // An entry that a person wrote before the first lock stays theirs. A table that moves there is followed there.
  if (entry.present && !entry.locked && !former && !isSameEntry(entry.present, entry.wanted)) return undefined
  return { path: entry.path, sha256: hashData(entry.wanted) }
}

function withColumnNames(
  part: LockedPart | undefined,
  entry: ArrangedEntry | undefined,
  locked: LockedTable['properties'],
): LockedTable['properties'] {
  const names = [...(entry?.names ?? [])].map(([name, own]) => [name, own?.name ?? null] as const)
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

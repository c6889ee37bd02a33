import { parseItem } from '@stagecraft/core/run'
import type { Column, Table } from '@stagecraft/spec'
import type { ScanChanges } from '@stagecraft/spec/api'
import { setImmediate as letOthersGo } from 'node:timers/promises'
import type { Change } from '../change.ts'
import { chunksOf } from '../store/rows.ts'
import type { UnitRow } from '../store/schema.ts'

/** The columns of tables from a scan, by dotted name. */
type ReadColumns = ReadonlyMap<string, readonly Column[]>

interface Scanned {
  readonly connectionId: string
  readonly changes: ScanChanges
  readonly tables: ReadColumns
}

/**
 * Marks the units of a connection whose table has changed since their newest generation, and unmarks those whose table
 * is the same again. Compares only tables that the scan found changed.
 */
export async function markChangedUnits(
  tx: Change,
  { changes, connectionId, tables }: Scanned,
): Promise<void> {
  const { columnsAdded, columnsRemoved, columnsRetyped, tablesAdded, tablesRemoved } = changes
  const altered = [...columnsAdded, ...columnsRemoved, ...columnsRetyped].map(({ table }) => table)
  const now = new Set([...altered, ...tablesRemoved])
  // A table that reappeared can only remove a mark.
  const names = [...now, ...tablesAdded]
  if (names.length === 0) return
  const wanted = Map.groupBy(
    names.map((name): Wanted => ({ name: plainOf(name), columns: tables.get(name), isBack: !now.has(name) })),
    ({ name }) => lastPart(name),
  )
  const units = (await generatedUnits(tx, connectionId)).filter(({ source, source_changed_at }) =>
    wanted.get(lastPart(plainOf(source)))?.some(({ isBack }) => !isBack || source_changed_at !== null),
  )
  for (const chunk of chunksOf(units, READ)) {
    await markChunk(tx, chunk, wanted)
    await letOthersGo()
  }
}

/** A table to compare with the inputs of units. */
interface Wanted {
  /** Without quotes, in lower case. */
  readonly name: string
  /** Undefined for a dropped table. */
  readonly columns: readonly Column[] | undefined
  /** True if it was already missing. */
  readonly isBack: boolean
}

/** The number of inputs that are read at the same time; each holds a whole table. */
const READ = 100

type GeneratedUnit = Pick<UnitRow, 'id' | 'source' | 'source_changed_at' | 'last_generation_id'>

/**
 * Selects the units that were generated through a connection in the order of their ids, like other changes of several
 * units.
 */
async function generatedUnits(tx: Change, connectionId: string): Promise<readonly GeneratedUnit[]> {
  const project = await tx.ownProject()
  const isDefault = project.connection_id === connectionId
  return await tx.db
    .selectFrom('units')
    .select(['id', 'source', 'source_changed_at', 'last_generation_id'])
    .where('project_id', '=', tx.projectId)
    .where('last_generation_id', 'is not', null)
    .where((unit) =>
      unit.or([
        unit('connection_id', '=', connectionId),
        ...(isDefault ? [unit('connection_id', 'is', null)] : []),
      ]),
    )
    .orderBy('id')
    .execute()
}

async function markChunk(
  tx: Change,
  units: readonly GeneratedUnit[],
  wanted: ReadonlyMap<string, readonly Wanted[]>,
): Promise<void> {
  const rows = await tx.db
    .selectFrom('generations')
    .select(['id', 'item'])
    .where(
      'id',
      'in',
      units.flatMap(({ last_generation_id }) => last_generation_id ?? []),
    )
    .execute()
  const items = new Map(rows.map(({ id, item }) => [id, item]))
  const marks = { changed: [] as string[], same: [] as string[] }
  for (const { id, last_generation_id, source_changed_at } of units) {
    const item = items.get(last_generation_id ?? '') ?? null
    if (item === null) continue
    const { table } = parseItem(item)
    const found = wanted.get(lastPart((table.name ?? '').toLowerCase()))
    const one = found?.find(({ name }) => isSame(name, dottedOf(table)))
    if (!one) continue
    if (!hasColumns(table, one.columns)) marks.changed.push(id)
    else if (source_changed_at !== null) marks.same.push(id)
  }
  await mark(tx, marks.changed, await tx.now())
  await mark(tx, marks.same, null)
}

async function mark(tx: Change, ids: readonly string[], source_changed_at: number | null): Promise<void> {
  if (ids.length === 0) return
  await tx.db.updateTable('units').set({ source_changed_at }).where('id', 'in', ids).execute()
}

function hasColumns({ columns }: Table, others: readonly Column[] | undefined): boolean {
  const types = new Map(others?.map(({ name, type }) => [name, type]))
  return columns.length === types.size && columns.every(({ name, type }) => types.get(name) === type)
}

/** Returns a dotted name without quotes, in lower case. */
function plainOf(name: string): string {
  return name.replace(/["`[\]]/g, '').toLowerCase()
}

function dottedOf({ database, name, schema }: Table): string {
  return [database, schema, name]
    .filter((part) => part !== undefined)
    .join('.')
    .toLowerCase()
}

/** A catalog with a single database may leave out its name. */
function isSame(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

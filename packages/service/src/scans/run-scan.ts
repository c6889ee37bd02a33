import type { Budget, TableCost } from '@stagecraft/core/inference'
import type { CatalogTable, Column, Warning } from '@stagecraft/spec'
import type { ScanChanges } from '@stagecraft/spec/api'
import type { Transaction } from 'kysely'
import { setImmediate as letOthersGo } from 'node:timers/promises'
import type { Change } from '../change.ts'
import { findConnection } from '../connections/stored-connection.ts'
import type { ServiceContext } from '../context.ts'
import type { JobKind, JobResult, Lease } from '../jobs/lease.ts'
import { deleteEvidence, writeEvidence } from '../sources/evidence.ts'
import { chunksOf, fromJson, toJson } from '../store/rows.ts'
import type { Database, ScanRow } from '../store/schema.ts'
import { markChangedUnits } from './mark-units.ts'
import { type ReadSource, type ReadSources, readSources } from './read-sources.ts'

type Scan = Pick<ScanRow, 'id' | 'project_id' | 'connection_id'>

/**
 * Replaces the stored tables of a connection with those of the scan, and returns the differences. Unchanged
 * definitions are not written again.
 */
async function storeSources(
  transaction: Transaction<Database>,
  { evidence, sources }: Pick<ReadSources, 'evidence' | 'sources'>,
  { now, scan }: { readonly scan: Scan; readonly now: number },
): Promise<ScanChanges> {
  const known = await knownSources(transaction, scan)
  const changed = [...sources.values()].filter(
    ({ columns }) => known.get(columns.name) !== columns.fingerprint,
  )
  const removed = [...known.keys()].filter((name) => !sources.has(name))
  const changes = await compareWithStored(transaction, changed, { known, scan })
  await removeSources(transaction, removed, scan)
  await writeSources(transaction, changed, { scan, now })
  const { columnsAdded, columnsRemoved, columnsRetyped } = changes
  const altered = [...columnsAdded, ...columnsRemoved, ...columnsRetyped].map(({ table }) => table)
  await deleteEvidence(transaction, [...new Set(altered)], scan.connection_id)
  if (evidence) await writeEvidence(transaction, evidence, scan)
  await transaction
    .updateTable('source_tables')
    .set({ scan_id: scan.id, scanned_at: now })
    .where('connection_id', '=', scan.connection_id)
    .where('scan_id', '!=', scan.id)
    .execute()
  return { ...changes, tablesRemoved: removed.toSorted() }
}

/** The stored fingerprints by name. */
async function knownSources(
  transaction: Transaction<Database>,
  scan: Scan,
): Promise<ReadonlyMap<string, string>> {
  const rows = await transaction
    .selectFrom('source_tables')
    .select(['name', 'fingerprint'])
    .where('connection_id', '=', scan.connection_id)
    .execute()
  return new Map(rows.map(({ fingerprint, name }) => [name, fingerprint]))
}

async function compareWithStored(
  transaction: Transaction<Database>,
  changed: readonly ReadSource[],
  { known, scan }: { readonly known: ReadonlyMap<string, string>; readonly scan: Scan },
): Promise<Omit<ScanChanges, 'tablesRemoved'>> {
  const current = new Map(changed.map(({ columns, table }) => [columns.name, table]))
  const changes: Omit<ScanChanges, 'tablesRemoved'> = {
    tablesAdded: [...current.keys()].filter((name) => !known.has(name)).toSorted(),
    columnsAdded: [],
    columnsRemoved: [],
    columnsRetyped: [],
  }
  const names = [...current.keys()].filter((name) => known.has(name)).toSorted()
  for (const chunk of chunksOf(names)) {
    const before = await definitionsOf(transaction, chunk, scan)
    for (const name of chunk) {
      const [old, table] = [before.get(name), current.get(name)]
      if (!old || !table) continue
      const { columnsAdded, columnsRemoved, columnsRetyped } = compareColumns(name, {
        before: old,
        after: table,
      })
      changes.columnsAdded.push(...columnsAdded)
      changes.columnsRemoved.push(...columnsRemoved)
      changes.columnsRetyped.push(...columnsRetyped)
    }
    await letOthersGo()
  }
  return changes
}

async function definitionsOf(
  transaction: Transaction<Database>,
  names: readonly string[],
  scan: Scan,
): Promise<ReadonlyMap<string, CatalogTable>> {
  const rows = await transaction
    .selectFrom('source_tables')
    .select(['name', 'definition'])
    .where('connection_id', '=', scan.connection_id)
    .where('name', 'in', names)
    .execute()
  return new Map(rows.map(({ definition, name }) => [name, fromJson(definition) as CatalogTable]))
}

async function removeSources(
  transaction: Transaction<Database>,
  names: readonly string[],
  scan: Scan,
): Promise<void> {
  for (const chunk of chunksOf(names)) {
    await transaction
      .deleteFrom('source_tables')
      .where('connection_id', '=', scan.connection_id)
      .where('name', 'in', chunk)
      .execute()
  }
}

async function writeSources(
  transaction: Transaction<Database>,
  changed: readonly ReadSource[],
  { now, scan }: { readonly scan: Scan; readonly now: number },
): Promise<void> {
  const place = { project_id: scan.project_id, connection_id: scan.connection_id }
  for (const chunk of chunksOf(changed)) {
    await transaction
      .insertInto('source_tables')
      .values(chunk.map(({ columns }) => ({ ...columns, ...place, scan_id: scan.id, scanned_at: now })))
      .onConflict((conflict) =>
        conflict.columns(['connection_id', 'name']).doUpdateSet((row) => ({
          database_name: row.ref('excluded.database_name'),
          schema_name: row.ref('excluded.schema_name'),
          table_name: row.ref('excluded.table_name'),
          kind: row.ref('excluded.kind'),
          comment: row.ref('excluded.comment'),
          columns: row.ref('excluded.columns'),
          definition: row.ref('excluded.definition'),
          fingerprint: row.ref('excluded.fingerprint'),
          scan_id: row.ref('excluded.scan_id'),
          scanned_at: row.ref('excluded.scanned_at'),
        })),
      )
      .execute()
    await letOthersGo()
  }
}

type ColumnChanges = Pick<ScanChanges, 'columnsAdded' | 'columnsRemoved' | 'columnsRetyped'>

/** Compares the old and new columns of a table. */
function compareColumns(
  table: string,
  { after, before }: { readonly before: CatalogTable; readonly after: CatalogTable },
): ColumnChanges {
  const old = byName(before.columns)
  const current = byName(after.columns)
  const change = ({ name, type }: Column) => ({ table, column: name, type })
  return {
    columnsAdded: after.columns.filter(({ name }) => !old.has(name)).map(change),
    columnsRemoved: before.columns.filter(({ name }) => !current.has(name)).map(change),
    columnsRetyped: after.columns.flatMap(({ name, type: to }) => {
      const from = old.get(name)
      return from === undefined || from === to ? [] : [{ table, column: name, from, to }]
    }),
  }
}

function byName(columns: readonly Column[]): ReadonlyMap<string, string> {
  return new Map(columns.map(({ name, type }) => [name, type]))
}

/** Thrown if another scan of the connection ended after this one read it: the stored tables may be newer. */
class OutdatedReading extends Error {}

/**
 * Reads a catalog into the store. All tables are stored in one transaction, so a partial scan is never visible. Of
 * simultaneous scans of one connection, the one that ends later reads again. Rows are read once.
 */
export async function runScan(context: ServiceContext, row: ScanRow, lease: Lease<'scans'>): Promise<void> {
  const { signal } = lease
  const limits = limitsOf(row)
  let bytesToRead: number | undefined
  const onProgress = (done: number, total: number): Promise<void> =>
    lease.progress({ progress: toJson({ done, total, bytesToRead }) })
  const onSizes = async (costs: readonly TableCost[]): Promise<void> => {
    bytesToRead = sumBytes(costs, limits)
    if (bytesToRead !== undefined) await onProgress(0, costs.length)
  }
  let first: ReadSources | undefined
  for (;;) {
    const readAt = await context.store.now()
    const { connection_id: connectionId, project_id: projectId } = row
    const connection = await findConnection(context, { connectionId, projectId })
    const profile = row.profile === 1 && !first ? { at: readAt, onProgress, onSizes, ...limits } : undefined
    const fresh = await readSources(context, connection, { signal, ...(profile && { profile }) })
    const read = first ? keepEvidence(first, fresh) : fresh
    first ??= read
    await onProgress(profile ? read.sources.size : 0, read.sources.size)
    signal.throwIfAborted()
    try {
      await lease.finish((tx) => finishScan(tx, { row, read, readAt, bytesToRead }))
      return
    } catch (error) {
      if (!(error instanceof OutdatedReading)) throw error
    }
  }
}

function limitsOf({ max_bytes, max_rows }: ScanRow): Budget {
  return {
    ...(max_rows !== null && { maxRows: max_rows }),
    ...(max_bytes !== null && { maxBytes: max_bytes }),
  }
}

/** Returns the total of the bytes that dry runs report, without skipped tables; undefined if nothing reports them. */
function sumBytes(costs: readonly TableCost[], { maxBytes = Infinity }: Budget): number | undefined {
  const known = costs.flatMap(({ bytesRead }) => bytesRead ?? [])
  if (known.length === 0) return undefined
  return known.filter((bytes) => bytes <= maxBytes).reduce((total, bytes) => total + bytes, 0)
}

/** Adds earlier evidence to the tables that are unchanged. */
function keepEvidence({ evidence, sources, warnings }: ReadSources, fresh: ReadSources): ReadSources {
  if (!evidence) return fresh
  const isSame = (name: string): boolean =>
    sources.get(name)?.columns.fingerprint === fresh.sources.get(name)?.columns.fingerprint
  const altered = [...fresh.sources.keys()].filter((name) => !isSame(name))
  return {
    ...fresh,
    evidence: new Map([...evidence].filter(([name]) => isSame(name))),
    warnings: [
      ...warnings,
      ...altered.map((name): Warning => ({
        code: 'TABLE_NOT_PROFILED',
        message: `${name} could not be read: it was changed during the scan`,
      })),
    ],
  }
}

interface Finish {
  readonly row: ScanRow
  readonly read: ReadSources
  readonly readAt: number
  readonly bytesToRead: number | undefined
}

async function finishScan(
  tx: Change,
  { bytesToRead, read, readAt, row }: Finish,
): Promise<JobResult<'scans'>> {
  await assertNewest(tx, row, readAt)
  const now = await tx.now()
  const changes = await storeSources(tx.db, read, { scan: row, now })
  const scanned = new Map([...read.sources].map(([name, { table }]) => [name, table.columns]))
  await markChangedUnits(tx, { connectionId: row.connection_id, changes, tables: scanned })
  const tables = read.sources.size
  const columns = [...read.sources.values()].reduce((sum, source) => sum + source.columns.columns, 0)
  await tx.publish('scan.completed', eventData(row, { changes, tables, columns, now }))
  return {
    progress: toJson({ done: tables, total: tables, bytesToRead }),
    tables,
    columns,
    changes: toJson(changes),
    warnings: read.warnings.length > 0 ? toJson(read.warnings) : null,
    dialect: read.dialect ?? null,
    states_database: read.statesDatabase ? 1 : 0,
  }
}

/** The lock makes scans of one connection store their tables one after another. */
async function assertNewest(tx: Change, row: ScanRow, readAt: number): Promise<void> {
  const { connection_id: connectionId, id } = row
  await tx.own('connections', connectionId, { lock: 'update' })
  const newer = await tx.db
    .selectFrom('scans')
    .select('id')
    .where('connection_id', '=', connectionId)
    .where('id', '!=', id)
    .where('state', '=', 'completed')
    .where('finished_at', '>=', readAt)
    .limit(1)
    .executeTakeFirst()
  if (newer) throw new OutdatedReading()
}

interface Outcome {
  readonly changes: ScanChanges
  readonly tables: number
  readonly columns: number
  readonly now: number
}

function eventData(row: ScanRow, { changes, columns, now, tables }: Outcome) {
  return {
    scan_id: row.id,
    connection_id: row.connection_id,
    tables,
    columns,
    tables_added: changes.tablesAdded.length,
    tables_removed: changes.tablesRemoved.length,
    columns_added: changes.columnsAdded.length,
    columns_removed: changes.columnsRemoved.length,
    columns_retyped: changes.columnsRetyped.length,
    duration_ms: Math.max(0, now - (row.started_at ?? now)),
  }
}

/** Two at a time, because a scan of a large warehouse holds all its tables in memory. */
const CONCURRENCY = 2

/** Defines the jobs that scan. */
export function scanJobs(context: ServiceContext): JobKind<'scans'> {
  return { table: 'scans', concurrency: CONCURRENCY, run: (row, lease) => runScan(context, row, lease) }
}

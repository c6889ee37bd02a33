import type { ScanChanges } from '@stagecraft/spec/api'
import type { Change } from '../change.ts'
import { findConnection } from '../connections/find-connection.ts'
import type { ServiceContext } from '../context.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import type { JobResult, Lease } from '../jobs/lease.ts'
import { toJson } from '../store/json.ts'
import type { ScanRow } from '../store/schema.ts'
import { type ReadSources, readSources } from './read-sources.ts'
import { storeSources } from './store-sources.ts'

/** Another scan of the connection ended after this one read it: what is stored may be newer than what was read. */
class OutdatedReading extends Error {}

/**
 * Reads a catalog into the store. All of it is stored in one transaction, so that nobody sees half a scan. Of scans of one
 * connection that run at once, the one that ends later reads again.
 */
export async function runScan(context: ServiceContext, row: ScanRow, lease: Lease<'scans'>): Promise<void> {
  for (;;) {
    const readAt = await context.store.now()
    const { connection_id: connectionId, project_id: projectId } = row
    const connection = await findConnection(context, { connectionId, projectId })
    const read = await readSources(context, connection, lease.signal)
    await lease.progress({ progress: toJson({ done: 0, total: read.sources.size }) })
    lease.signal.throwIfAborted()
    try {
      await lease.finish((tx) => finishScan(tx, { row, read, readAt }))
      return
    } catch (error) {
      if (!(error instanceof OutdatedReading)) throw error
    }
  }
}

interface Finish {
  readonly row: ScanRow
  readonly read: ReadSources
  readonly readAt: number
}

async function finishScan(tx: Change, { read, readAt, row }: Finish): Promise<JobResult<'scans'>> {
  await assertNewest(tx, row, readAt)
  const now = await tx.now()
  const changes = await storeSources(tx.db, read.sources, { scan: row, now })
  const tables = read.sources.size
  const columns = [...read.sources.values()].reduce((sum, source) => sum + source.columns.columns, 0)
  await tx.publish('scan.completed', eventData(row, { changes, tables, columns, now }))
  return {
    progress: toJson({ done: tables, total: tables }),
    tables,
    columns,
    changes: toJson(changes),
    dialect: read.dialect ?? null,
    states_database: read.statesDatabase ? 1 : 0,
  }
}

/** The lock makes scans of one connection store their tables one after the other. */
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

/** Two at once: a scan of a large warehouse holds all its tables in memory. */
const CONCURRENCY = 2

/** Defines the jobs that scan. */
export function scanJobs(context: ServiceContext): JobKind<'scans'> {
  return { table: 'scans', concurrency: CONCURRENCY, run: (row, lease) => runScan(context, row, lease) }
}

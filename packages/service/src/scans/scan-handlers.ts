import { locateCatalog } from '@stagecraft/catalogs'
import { StagecraftError, type Warning } from '@stagecraft/spec'
import type { ApiHandlers, ScanChanges, ScanResource } from '@stagecraft/spec/api'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { change } from '../change.ts'
import { findConnection, readCatalogText } from '../connections/stored-connection.ts'
import type { ServiceContext } from '../context.ts'
import { queuedJob } from '../jobs/lease.ts'
import { jobMembers } from '../resources/job-members.ts'
import { fromJson, ownedRow } from '../store/rows.ts'
import { allOf, inPeriod, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import type { ConnectionRow, ScanRow } from '../store/schema.ts'

type ScanHandlers = Pick<ApiHandlers, 'createScan' | 'listScans' | 'getScan' | 'cancelScan'>

/** Creates the handlers of the operations on scans. */
export function scanHandlers(context: ServiceContext): ScanHandlers {
  return {
    createScan: (call) => createScan(context, call),
    listScans: (call) => listScans(context, call),
    getScan: (call) => getScan(context, call),
    cancelScan: (call) => cancelScan(context, call),
  }
}

async function createScan(
  context: ServiceContext,
  { body, caller: { projectId } }: CallOf<'createScan'>,
): ReplyOf<'createScan'> {
  const connection = await findConnection(context, { connectionId: body.connectionId, projectId })
  if (body.profile) assertRows(context, connection)
  else assertNoLimits(body)
  const { id: connectionId } = connection
  const data = await change(context, projectId, async (tx) => {
    // The connection may have been deleted by now, together with its scans.
    await tx.own('connections', connectionId, { lock: 'share' })
    const row: ScanRow = {
      ...queuedJob(await tx.now()),
      id: tx.ids.next('scan'),
      project_id: projectId,
      connection_id: connectionId,
      profile: body.profile ? 1 : 0,
      max_rows: body.maxRows ?? null,
      max_bytes: body.maxBytes ?? null,
      warnings: null,
      progress: null,
      tables: null,
      columns: null,
      changes: null,
      dialect: null,
      states_database: null,
    }
    await tx.db.insertInto('scans').values(row).execute()
    tx.wakeAfter('jobs')
    return toScan(row)
  })
  return { data }
}

/** @throws {StagecraftError} INVALID_REQUEST for a connection that has columns but no rows. */
function assertRows(context: ServiceContext, connection: ConnectionRow): void {
  const { hasRows, kind } = locateCatalog(readCatalogText(context, connection))
  if (hasRows) return
  throw StagecraftError.invalid({
    path: 'profile',
    expected: 'a connection whose rows can be read (duckdb:, postgres://, mysql://, sqlite:), or false',
    received: `true for the connection ${connection.id}, of kind ${kind}, whose rows cannot be read`,
  })
}

/** @throws {StagecraftError} INVALID_REQUEST for a limit of a scan that reads no rows. */
function assertNoLimits({ maxBytes, maxRows }: CallOf<'createScan'>['body']): void {
  const expected = 'no value, because without `profile: true` no rows are read'
  const faults = Object.entries({ maxRows, maxBytes }).flatMap(([path, limit]) =>
    limit === undefined ? [] : [{ path, expected, received: `${limit}` }],
  )
  if (faults.length > 0) throw StagecraftError.invalid(faults)
}

async function listScans(
  { store }: ServiceContext,
  { caller: { projectId }, query: { connectionId, since, state, until, ...position } }: CallOf<'listScans'>,
): ReplyOf<'listScans'> {
  const query = store.db
    .selectFrom('scans')
    .select(['id', 'project_id', 'connection_id', 'state', 'error', 'cancel', 'due_at', 'attempts'])
    .select(['lease_owner', 'lease_until', 'created_at', 'started_at', 'finished_at'])
    .select([
      'progress',
      'tables',
      'columns',
      'dialect',
      'states_database',
      'profile',
      'max_rows',
      'max_bytes',
    ])
    .where('project_id', '=', projectId)
    .where(
      allOf([isValue('state', state), isValue('connection_id', connectionId), ...inPeriod({ since, until })]),
    )
  const { nextCursor, rows } = await page(query, position)
  return { data: { items: rows.map(toScan) }, nextCursor }
}

async function getScan(
  { store }: ServiceContext,
  { caller: { projectId }, params: { scanId } }: CallOf<'getScan'>,
): ReplyOf<'getScan'> {
  return { data: toScan(await ownedRow(store, 'scans', { projectId, id: scanId })) }
}

/** A scan that has ended is not changed. It may have ended before the request arrived. */
async function cancelScan(
  context: ServiceContext,
  { caller: { projectId }, params: { scanId } }: CallOf<'cancelScan'>,
): ReplyOf<'cancelScan'> {
  const data = await change(context, projectId, async (tx) => {
    const finished_at = await tx.now()
    const scans = tx.db.updateTable('scans').where('id', '=', scanId).where('project_id', '=', projectId)
    await scans.set({ state: 'cancelled', finished_at }).where('state', '=', 'queued').execute()
    await scans.set({ cancel: 1 }).where('state', '=', 'running').execute()
    tx.wakeAfter('jobs')
    return toScan(await tx.own('scans', scanId))
  })
  return { data }
}

/** Returns the public fields of a scan. */
function toScan(
  row: Omit<ScanRow, 'changes' | 'warnings'> & Partial<Pick<ScanRow, 'changes' | 'warnings'>>,
): ScanResource {
  return {
    id: row.id,
    connectionId: row.connection_id,
    profile: row.profile === 1,
    ...(row.max_rows !== null && { maxRows: row.max_rows }),
    ...(row.max_bytes !== null && { maxBytes: row.max_bytes }),
    ...jobMembers(row),
    ...(row.progress !== null && { progress: fromJson(row.progress) as ScanResource['progress'] }),
    ...(row.tables !== null && { tables: row.tables }),
    ...(row.columns !== null && { columns: row.columns }),
    ...(typeof row.changes === 'string' && { changes: fromJson(row.changes) as ScanChanges }),
    ...(typeof row.warnings === 'string' && { warnings: fromJson(row.warnings) as Warning[] }),
  }
}

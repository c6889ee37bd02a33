import type { ApiHandlers, ApiOperations, Call, Reply } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { findConnection } from '../connections/find-connection.ts'
import { lockConnection } from '../connections/lock-connection.ts'
import type { ServiceContext } from '../context.ts'
import { queuedJob } from '../jobs/job-kind.ts'
import { notFound } from '../resources/errors.ts'
import { page } from '../store/page.ts'
import type { Database, ScanRow } from '../store/schema.ts'
import { toScan } from './to-scan.ts'

type CallOf<Id extends keyof ApiOperations> = Call<ApiOperations[Id]>
type ReplyOf<Id extends keyof ApiOperations> = Promise<Reply<ApiOperations[Id]>>

type ScanHandlers = Pick<ApiHandlers, 'createScan' | 'listScans' | 'getScan' | 'cancelScan'>

/** What answers the operations on scans. */
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
  const { id: connectionId } = await findConnection(context, { ...body, projectId })
  const id = context.ids.next('scan')
  const data = await context.store.transaction(async (transaction) => {
    // it may be deleted by now, and its scans with it
    if (!(await lockConnection(transaction, { projectId, connectionId })))
      throw notFound('connection', connectionId)
    const row: ScanRow = {
      ...queuedJob(await context.store.now(transaction)),
      id,
      project_id: projectId,
      connection_id: connectionId,
      progress: null,
      tables: null,
      columns: null,
      changes: null,
      dialect: null,
      states_database: null,
    }
    await transaction.insertInto('scans').values(row).execute()
    return toScan(row)
  })
  context.wake.notify('jobs')
  return { data }
}

async function listScans(
  { store }: ServiceContext,
  { caller: { projectId }, query: { state, ...position } }: CallOf<'listScans'>,
): ReplyOf<'listScans'> {
  const query = store.db
    .selectFrom('scans')
    .select(['id', 'project_id', 'connection_id', 'state', 'error', 'cancel', 'due_at', 'attempts'])
    .select(['lease_owner', 'lease_until', 'created_at', 'started_at', 'finished_at'])
    .select(['progress', 'tables', 'columns', 'dialect', 'states_database'])
    .where('project_id', '=', projectId)
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'queued'))
  const { nextCursor, rows } = await page(query, position)
  return { data: { items: rows.map(toScan) }, nextCursor }
}

async function getScan(
  { store }: ServiceContext,
  { caller: { projectId }, params: { scanId } }: CallOf<'getScan'>,
): ReplyOf<'getScan'> {
  return { data: toScan(await findScan(store.db, { projectId, scanId })) }
}

interface ScanOf {
  readonly projectId: string
  readonly scanId: string
}

async function findScan(database: Kysely<Database>, { projectId, scanId }: ScanOf): Promise<ScanRow> {
  const row = await database
    .selectFrom('scans')
    .selectAll()
    .where('id', '=', scanId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw notFound('scan', scanId)
  return row
}

/** One that has ended stays as it is: it may have ended while the request was on its way. */
async function cancelScan(
  { store, wake }: ServiceContext,
  { caller: { projectId }, params: { scanId } }: CallOf<'cancelScan'>,
): ReplyOf<'cancelScan'> {
  const data = await store.transaction(async (transaction) => {
    const now = await store.now(transaction)
    const scans = transaction
      .updateTable('scans')
      .where('id', '=', scanId)
      .where('project_id', '=', projectId)
    await scans.set({ state: 'cancelled', finished_at: now }).where('state', '=', 'queued').execute()
    await scans.set({ cancel: 1 }).where('state', '=', 'running').execute()
    return toScan(await findScan(transaction, { projectId, scanId }))
  })
  wake.notify('jobs')
  return { data }
}

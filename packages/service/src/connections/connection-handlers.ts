import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { untilAborted } from '../catalogs/with-catalog.ts'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { allOf, hasText, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import type { ConnectionRow, Database } from '../store/schema.ts'
import { addConnection, clearDefault, makeDefault } from './add-connection.ts'
import {
  catalogColumns,
  findConnection,
  openConnection,
  printLastTest,
  toConnection,
} from './stored-connection.ts'

interface TryOptions {
  /** Stops it; then nothing is recorded. */
  readonly signal: AbortSignal
  /** The time limit for opening and counting together. @default 10000 */
  readonly deadlineMs?: number
}

interface Trial {
  readonly dialect: string | undefined
  readonly tables: number
}

/**
 * Opens a new connection, counts its tables, and records how that went.
 *
 * @throws {StagecraftError} CONNECTION_FAILED that says why.
 */
export async function tryConnection(
  context: ServiceContext,
  row: ConnectionRow,
  { deadlineMs = 10_000, signal }: TryOptions,
): Promise<Trial> {
  const deadline = AbortSignal.timeout(deadlineMs)
  try {
    const trial = await countTables(context, row, AbortSignal.any([signal, deadline]))
    await record(context, row)
    return trial
  } catch (error) {
    if (signal.aborted) throw error
    const failure = deadline.aborted && error === deadline.reason ? tooLate(row, deadlineMs) : error
    if (failure instanceof StagecraftError) await record(context, row, reasonOf(failure))
    throw failure
  }
}

async function countTables(context: ServiceContext, row: ConnectionRow, signal: AbortSignal): Promise<Trial> {
  const catalog = await openConnection(context, row, { signal })
  const reading = catalog.tables({})
  try {
    return { dialect: catalog.dialect, tables: (await untilAborted(reading, signal)).length }
  } finally {
    // after the deadline the query goes on, and its result is ignored
    const closed = reading.then(
      () => catalog.close(),
      () => catalog.close(),
    )
    if (signal.aborted) closed.catch((error: unknown) => warn(context, row, error))
    else await closed
  }
}

function warn({ logger }: ServiceContext, { id }: ConnectionRow, error: unknown): void {
  const reason = error instanceof Error ? error.name : 'unknown'
  logger.warn({ connectionId: id, reason }, 'could not close a catalog')
}

/** Only of the catalog that was tried, which may have been changed meanwhile. */
async function record({ store }: ServiceContext, row: ConnectionRow, reason?: string): Promise<void> {
  const at = await store.now()
  const test = reason === undefined ? { at, ok: true } : { at, ok: false, reason }
  await store.db
    .updateTable('connections')
    .set({ last_test: printLastTest(test) })
    .where('id', '=', row.id)
    .where('catalog', '=', row.catalog)
    .execute()
}

function reasonOf({ details, message }: StagecraftError): string {
  const reason = details?.['reason']
  return typeof reason === 'string' ? reason : message
}

function tooLate({ target }: ConnectionRow, deadlineMs: number): StagecraftError {
  const reason = `no answer within ${deadlineMs / 1000} s`
  const suggestion = 'check host, port and firewall, and the load of the server'
  return new StagecraftError('CONNECTION_FAILED', `cannot read ${target}: ${reason}; ${suggestion}`, {
    details: { reason, suggestion },
  })
}

type ConnectionHandlers = Pick<
  ApiHandlers,
  | 'createConnection'
  | 'listConnections'
  | 'getConnection'
  | 'updateConnection'
  | 'deleteConnection'
  | 'testConnection'
>

/** Creates the handlers of the operations on connections. */
export function connectionHandlers(context: ServiceContext): ConnectionHandlers {
  return {
    createConnection: (call) => createConnection(context, call),
    listConnections: (call) => listConnections(context, call),
    getConnection: (call) => getConnection(context, call),
    updateConnection: (call) => updateConnection(context, call),
    deleteConnection: (call) => deleteConnection(context, call),
    testConnection: (call) => testConnection(context, call),
  }
}

async function createConnection(
  context: ServiceContext,
  { body, caller: { projectId } }: CallOf<'createConnection'>,
): ReplyOf<'createConnection'> {
  return { data: await addConnection({ ...body, projectId }, context) }
}

async function listConnections(
  { store }: ServiceContext,
  { caller: { projectId }, query }: CallOf<'listConnections'>,
): ReplyOf<'listConnections'> {
  const order = ['connections.created_at', 'connections.id'] as const
  const { kind, search, ...position } = query
  const wanted = allOf([
    isValue('kind', kind),
    search === undefined ? undefined : hasText(['connections.name', 'target'], search),
  ])
  const { nextCursor, rows } = await page(withDefault(store.db, projectId).where(wanted), {
    ...position,
    order,
  })
  return { data: { items: rows.map((row) => toConnection(row, isDefault(row))) }, nextCursor }
}

async function getConnection(
  { store }: ServiceContext,
  { caller: { projectId }, params: { connectionId } }: CallOf<'getConnection'>,
): ReplyOf<'getConnection'> {
  const row = await withDefault(store.db, projectId)
    .where('connections.id', '=', connectionId)
    .executeTakeFirst()
  if (!row) throw StagecraftError.unknownId('connection', connectionId)
  return { data: toConnection(row, isDefault(row)) }
}

/** All but the secret, and which one is the default. */
function withDefault(database: Kysely<Database>, projectId: string) {
  return database
    .selectFrom('connections')
    .innerJoin('projects', 'projects.id', 'connections.project_id')
    .select(['connections.id', 'connections.name', 'connections.kind', 'connections.target'])
    .select(['connections.last_test', 'connections.version'])
    .select(['connections.created_at', 'connections.updated_at', 'projects.connection_id as default_id'])
    .where('connections.project_id', '=', projectId)
}

function isDefault(row: { readonly id: string; readonly default_id: string | null }): {
  readonly isDefault: boolean
} {
  return { isDefault: row.id === row.default_id }
}

async function updateConnection(
  context: ServiceContext,
  { body, caller: { projectId }, ifVersion, params: { connectionId } }: CallOf<'updateConnection'>,
): ReplyOf<'updateConnection'> {
  const columns: Partial<ReturnType<typeof catalogColumns>> =
    body.catalog === undefined ? {} : catalogColumns(body.catalog, connectionId, context)
  const data = await change(context, projectId, async (tx) => {
    const before = await tx.own('connections', connectionId, { lock: 'update', ifVersion })
    if (body.isDefault === true) await makeDefault(tx, connectionId, 'always')
    if (body.isDefault === false) await clearDefault(tx, connectionId)
    const name = body.name === undefined ? {} : { name: body.name }
    const { kind = before.kind, target = before.target } = columns
    // evidence of other rows
    if (kind !== before.kind || target !== before.target)
      await tx.db.deleteFrom('source_profiles').where('connection_id', '=', connectionId).execute()
    if (Object.keys(body).length > 0) await tx.revise('connections', before, { ...columns, ...name })
    const changed = await withDefault(tx.db, projectId)
      .where('connections.id', '=', connectionId)
      .executeTakeFirstOrThrow()
    return toConnection(changed, isDefault(changed))
  })
  if (body.catalog !== undefined) context.catalogs.drop(connectionId)
  return { data }
}

async function deleteConnection(
  context: ServiceContext,
  { caller: { projectId }, ifVersion, params: { connectionId } }: CallOf<'deleteConnection'>,
): ReplyOf<'deleteConnection'> {
  await change(context, projectId, async (tx) => {
    // First the connection: a scan that is being stored is waited for, and its tables are then seen.
    await tx.own('connections', connectionId, { lock: 'delete', ifVersion })
    await assertUnused(tx.db, connectionId)
    await tx.db.deleteFrom('source_profiles').where('connection_id', '=', connectionId).execute()
    await tx.db.deleteFrom('source_tables').where('connection_id', '=', connectionId).execute()
    await tx.db.deleteFrom('scans').where('connection_id', '=', connectionId).execute()
    await tx.db.deleteFrom('connections').where('id', '=', connectionId).execute()
    await clearDefault(tx, connectionId)
  })
  context.catalogs.drop(connectionId)
  return { data: { id: connectionId, deleted: true } }
}

async function testConnection(
  context: ServiceContext,
  { caller: { projectId }, params: { connectionId }, signal }: CallOf<'testConnection'>,
): ReplyOf<'testConnection'> {
  const row = await findConnection(context, { projectId, connectionId })
  const started = context.clock.now()
  const { dialect, tables } = await tryConnection(context, row, { signal })
  const durationMs = Math.max(0, Math.round(context.clock.now() - started))
  return { data: { ok: true, ...(dialect !== undefined && { dialect }), tables, durationMs } }
}

/** The number of units that an error names. */
const NAMED = 20

/** Units that name it would be without any from then on, and their sources with them. */
async function assertUnused(database: Kysely<Database>, connectionId: string): Promise<void> {
  const units = await database
    .selectFrom('units')
    .select('id')
    .where('connection_id', '=', connectionId)
    .orderBy('id')
    .limit(NAMED)
    .execute()
  if (units.length === 0) return
  const expected = 'a connection that no unit names'
  const received = units.map(({ id }) => id).join(', ')
  const suggestion = 'change the connectionId of these units first'
  throw StagecraftError.invalid([{ path: 'connectionId', expected, received }], {
    suggestion,
    details: { reason: 'in_use' },
  })
}

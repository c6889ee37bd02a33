import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers, ConnectionResource } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { untilAborted } from '../catalogs/with-catalog.ts'
import { change, type Change, type ChangeContext } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { allOf, hasText, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import type { ConnectionRow, Database } from '../store/schema.ts'
import {
  catalogColumns,
  findConnection,
  openConnection,
  printLastTest,
  toConnection,
} from './stored-connection.ts'

interface TryOptions {
  /** Aborts the test; nothing is recorded then. */
  readonly signal: AbortSignal
  /** The time limit for opening and counting together. @default 10000 */
  readonly deadlineMs?: number
}

interface Trial {
  readonly dialect: string | undefined
  readonly tables: number
}

/**
 * Opens a new connection, counts its tables, and records the result.
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
    // After the deadline the query continues, and its result is ignored.
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

/** Only for the catalog that was tested, because it may have been changed since. */
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
  const reason = `no response within ${deadlineMs / 1000} s`
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

/** The columns of a connection except its secret, and whether it is the default. */
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
    // The evidence describes other rows.
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
    // Lock the connection first: this waits for a scan that is being stored, so its tables are then visible.
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

/** The maximum number of units that an error lists. */
const NAMED = 20

/** Refuses to delete a connection that units name: they would lose it and their sources. */
async function assertUnused(database: Kysely<Database>, connectionId: string): Promise<void> {
  const units = await database
    .selectFrom('units')
    .select('id')
    .where('connection_id', '=', connectionId)
    .orderBy('id')
    .limit(NAMED)
    .execute()
  if (units.length === 0) return
  const expected = 'a connection that no unit uses'
  const received = units.map(({ id }) => id).join(', ')
  const suggestion = 'change the connectionId of these units first'
  throw StagecraftError.invalid([{ path: 'connectionId', expected, received }], {
    suggestion,
    details: { reason: 'in_use' },
  })
}

export interface NewConnection {
  readonly projectId: string
  /** A label. Two connections may have the same one. */
  readonly name: string
  /** As on the command line; files need an absolute path. */
  readonly catalog: string
  /** True to make it the default of the project. Default: true if the project has none. */
  readonly isDefault?: boolean | undefined
}

/**
 * Stores a connection without testing it.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a catalog that no connection may have.
 */
export async function addConnection(
  { catalog, isDefault: wanted, name, projectId }: NewConnection,
  context: ChangeContext & Pick<ServiceContext, 'cipher' | 'settings'>,
): Promise<ConnectionResource> {
  const id = context.ids.next('conn')
  const columns = catalogColumns(catalog, id, context)
  return await change(context, projectId, async (tx) => {
    const now = await tx.now()
    const times = { created_at: now, updated_at: now }
    const row: ConnectionRow = { ...columns, ...times, project_id: projectId, name, version: 1 }
    await tx.db.insertInto('connections').values(row).execute()
    const when = wanted === true ? 'always' : 'none'
    const isDefault = wanted !== false && (await makeDefault(tx, id, when))
    return toConnection(row, { isDefault })
  })
}

/**
 * Makes a connection the default of its project.
 *
 * @param when `none`: only if the project has no default.
 * @returns True if the default has changed.
 */
async function makeDefault(tx: Change, connectionId: string, when: 'always' | 'none'): Promise<boolean> {
  const now = await tx.now()
  const { numUpdatedRows } = await tx.db
    .updateTable('projects')
    .set((project) => ({
      connection_id: connectionId,
      version: project('version', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', tx.projectId)
    .where((project) =>
      when === 'none'
        ? project('connection_id', 'is', null)
        : project.or([project('connection_id', 'is', null), project('connection_id', '!=', connectionId)]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Clears the default of the project if this connection is it. */
async function clearDefault(tx: Change, connectionId: string): Promise<void> {
  const now = await tx.now()
  await tx.db
    .updateTable('projects')
    .set((project) => ({ connection_id: null, version: project('version', '+', 1), updated_at: now }))
    .where('id', '=', tx.projectId)
    .where('connection_id', '=', connectionId)
    .execute()
}

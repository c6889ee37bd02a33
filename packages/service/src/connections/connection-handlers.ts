import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import type { Kysely } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { page } from '../store/page.ts'
import type { Database } from '../store/schema.ts'
import { addConnection, clearDefault, makeDefault } from './add-connection.ts'
import { catalogColumns } from './connection-catalog.ts'
import { findConnection } from './find-connection.ts'
import { toConnection } from './to-connection.ts'
import { tryConnection } from './try-connection.ts'

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
  const { nextCursor, rows } = await page(withDefault(store.db, projectId), { ...query, order })
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
  const columns = body.catalog === undefined ? {} : catalogColumns(body.catalog, connectionId, context)
  const data = await change(context, projectId, async (tx) => {
    const before = await tx.own('connections', connectionId, { lock: 'update', ifVersion })
    if (body.isDefault === true) await makeDefault(tx, connectionId, 'always')
    if (body.isDefault === false) await clearDefault(tx, connectionId)
    const name = body.name === undefined ? {} : { name: body.name }
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

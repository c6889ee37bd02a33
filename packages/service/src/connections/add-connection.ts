import type { ConnectionResource } from '@stagecraft/spec/api'
import { change, type Change, type ChangeContext } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { ConnectionRow } from '../store/schema.ts'
import { catalogColumns, toConnection } from './stored-connection.ts'

export interface NewConnection {
  readonly projectId: string
  /** A label: two connections may have the same one. */
  readonly name: string
  /** As on the command line, with an absolute path where it is a file. */
  readonly catalog: string
  /** True if it becomes the default of the project. Default: when that has none. */
  readonly isDefault?: boolean | undefined
}

/**
 * Keeps a connection, and does not try it.
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
 * @param when `none`: only where there is no default yet.
 * @returns whether it was made so now.
 */
export async function makeDefault(
  tx: Change,
  connectionId: string,
  when: 'always' | 'none',
): Promise<boolean> {
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

/** Leaves the project without a default, when this connection is it. */
export async function clearDefault(tx: Change, connectionId: string): Promise<void> {
  const now = await tx.now()
  await tx.db
    .updateTable('projects')
    .set((project) => ({ connection_id: null, version: project('version', '+', 1), updated_at: now }))
    .where('id', '=', tx.projectId)
    .where('connection_id', '=', connectionId)
    .execute()
}

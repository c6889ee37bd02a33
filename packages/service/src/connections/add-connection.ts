import type { ConnectionResource } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import type { ConnectionRow } from '../store/schema.ts'
import { allowedPlace } from './allowed-place.ts'
import { makeDefault } from './default-connection.ts'
import { sealedPlace } from './open-connection.ts'
import { toConnection } from './to-connection.ts'

export interface NewConnection {
  readonly projectId: string
  readonly name: string
  /** As on the command line: `postgres://…`. */
  readonly catalog: string
  /** Default: whether it is the first of the project. */
  readonly isDefault?: boolean | undefined
}

/**
 * Adds a connection to a project.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a catalog that is none, or that this service does not open.
 */
export async function addConnection(
  { catalog, isDefault: asked, name, projectId }: NewConnection,
  context: ServiceContext,
): Promise<ConnectionResource> {
  const columns = catalogColumns(context, context.ids.next('conn'), catalog)
  return context.store.transaction(async (transaction) => {
    const now = await context.store.now(transaction)
    const times = { created_at: now, updated_at: now }
    const row: ConnectionRow = { ...columns, project_id: projectId, name, version: 1, ...times }
    await transaction.insertInto('connections').values(row).execute()
    const change = { projectId, connectionId: row.id, now }
    const when = asked === true ? 'always' : 'none'
    const isDefault = asked !== false && (await makeDefault(transaction, change, when))
    return toConnection(row, { isDefault })
  })
}

/** The columns that come from the text of a catalog. */
export function catalogColumns(
  { cipher, settings }: ServiceContext,
  id: string,
  text: string,
): Pick<ConnectionRow, 'id' | 'kind' | 'target' | 'catalog' | 'last_test'> {
  const { kind, target } = allowedPlace(text, settings)
  return { id, kind, target, catalog: cipher.seal(text, sealedPlace(id)), last_test: null }
}

import { StagecraftError } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import type { ConnectionRow } from '../store/schema.ts'

export interface ConnectionOf {
  readonly projectId: string
  /** Default: the connection of the project. */
  readonly connectionId?: string | undefined
}

/**
 * The connection that is meant.
 *
 * @throws {StagecraftError} NOT_FOUND for an id that the project does not have; INVALID_REQUEST when none is named and
 * the project has no default.
 */
export async function findConnection(
  { store }: Pick<ServiceContext, 'store'>,
  { connectionId, projectId }: ConnectionOf,
): Promise<ConnectionRow> {
  const query = store.db
    .selectFrom('connections')
    .innerJoin('projects', 'projects.id', 'connections.project_id')
    .selectAll('connections')
    .where('connections.project_id', '=', projectId)
  const row = await (
    connectionId === undefined
      ? query.whereRef('connections.id', '=', 'projects.connection_id')
      : query.where('connections.id', '=', connectionId)
  ).executeTakeFirst()
  if (row) return row
  throw connectionId === undefined
    ? noConnection(projectId)
    : StagecraftError.unknownId('connection', connectionId)
}

function noConnection(projectId: string): Error {
  const suggestion = `create one with POST /v1/projects/${projectId}/connections, or name an existing one`
  const fault = {
    path: 'connectionId',
    expected: 'a connection, since the project has no default',
    received: 'nothing',
  }
  return StagecraftError.invalid([fault], { suggestion })
}

import { StagecraftError } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import type { ScanRow } from '../store/schema.ts'

/**
 * Reads the newest completed scan of a connection.
 *
 * @throws {StagecraftError} INVALID_REQUEST when there is none.
 */
export async function newestScan(
  { store }: Pick<ServiceContext, 'store'>,
  { connectionId, projectId }: { readonly projectId: string; readonly connectionId: string },
): Promise<Pick<ScanRow, 'id' | 'dialect' | 'states_database'>> {
  const scan = await store.db
    .selectFrom('scans')
    .select(['id', 'dialect', 'states_database'])
    .where('connection_id', '=', connectionId)
    .where('project_id', '=', projectId)
    .where('state', '=', 'completed')
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (scan) return scan
  const suggestion = `scan it with POST /v1/projects/${projectId}/scans`
  const expected = 'a connection that was scanned'
  throw StagecraftError.invalid(
    [{ path: 'connectionId', expected, received: `${connectionId}, which was not` }],
    {
      suggestion,
    },
  )
}

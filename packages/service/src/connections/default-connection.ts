import type { Transaction } from 'kysely'
import type { Database } from '../store/schema.ts'

export interface DefaultChange {
  readonly projectId: string
  readonly connectionId: string
  readonly now: number
}

/**
 * Makes a connection the default of its project.
 *
 * @param when `none`: only where there is no default yet.
 * @returns whether it was made so now.
 */
export async function makeDefault(
  transaction: Transaction<Database>,
  { connectionId, now, projectId }: DefaultChange,
  when: 'always' | 'none',
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('projects')
    .set((project) => ({
      connection_id: connectionId,
      version: project('version', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', projectId)
    .where((project) =>
      when === 'none'
        ? project('connection_id', 'is', null)
        : project.or([project('connection_id', 'is', null), project('connection_id', '!=', connectionId)]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Leaves the project without a default, when this connection is it. */
export async function clearDefault(
  transaction: Transaction<Database>,
  { connectionId, now, projectId }: DefaultChange,
): Promise<void> {
  await transaction
    .updateTable('projects')
    .set((project) => ({ connection_id: null, version: project('version', '+', 1), updated_at: now }))
    .where('id', '=', projectId)
    .where('connection_id', '=', connectionId)
    .execute()
}

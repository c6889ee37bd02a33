import type { Change } from '../change.ts'

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

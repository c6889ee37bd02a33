import { sql } from 'kysely'
import type { Handle, Lease, QueueDatabase } from './job-table.ts'

/**
 * Gives rows back that were not worked on to the end, for a process that stops: they are due at once, and the attempt does
 * not count.
 *
 * @returns the ids of the rows that the claim still held.
 */
export async function handBack<Database>(
  handle: Handle<Database>,
  { ids, leaseOwner, table }: Lease<Database>,
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await (handle as unknown as Handle<QueueDatabase>)
    .updateTable(table as 'queue')
    .set({ state: 'queued', attempts: sql<number>`attempts - 1`, lease_owner: null, lease_until: null })
    .where('id', 'in', ids)
    .where('lease_owner', '=', leaseOwner)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

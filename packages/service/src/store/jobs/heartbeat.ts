import { sql } from 'kysely'
import type { Store } from '../store.ts'
import type { Handle, Lease, QueueDatabase } from './job-table.ts'

export interface HeartbeatOptions<Database> extends Lease<Database> {
  /** From now, in milliseconds. */
  readonly leaseMs: number
}

/**
 * Extends the claim of rows that are still worked on.
 *
 * @returns the ids of the rows that the claim still holds: the work on the others is to stop.
 */
export async function heartbeat<Database>(
  store: Store<Database>,
  { ids, leaseMs, leaseOwner, table }: HeartbeatOptions<Database>,
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await (store.db as unknown as Handle<QueueDatabase>)
    .updateTable(table as 'queue')
    .set({ lease_until: sql<number>`${store.nowMs()} + ${leaseMs}` })
    .where('id', 'in', ids)
    .where('lease_owner', '=', leaseOwner)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

import { sql } from 'kysely'
import type { Store } from '../store.ts'
import type { Lease } from './job-table.ts'
import { updateHeld } from './update-held.ts'

export interface HeartbeatOptions<Database> extends Lease<Database> {
  /** From now, in milliseconds. */
  readonly leaseMs: number
}

/**
 * Extends the claim of rows that are still worked on.
 *
 * @returns the ids of the rows that the claim still holds: the work on the others is to stop.
 */
export function heartbeat<Database>(
  store: Store<Database>,
  { leaseMs, ...lease }: HeartbeatOptions<Database>,
): Promise<readonly string[]> {
  return updateHeld(store.db, lease, { lease_until: sql<number>`${store.nowMs()} + ${leaseMs}` })
}

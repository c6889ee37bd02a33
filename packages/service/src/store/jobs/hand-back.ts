import { sql } from 'kysely'
import type { Handle, Lease } from './job-table.ts'
import { updateHeld } from './update-held.ts'

/**
 * Gives rows back that were not worked on to the end, for a process that stops: they are due at once, and the attempt does
 * not count.
 *
 * @returns the ids of the rows that the claim still held.
 */
export function handBack<Database>(
  handle: Handle<Database>,
  lease: Lease<Database>,
): Promise<readonly string[]> {
  const attempts = sql<number>`attempts - 1`
  return updateHeld(handle, lease, { state: 'queued', attempts, lease_owner: null, lease_until: null })
}

import type { UpdateObject } from 'kysely'
import type { Handle, JobTable, Lease } from './job-table.ts'
import { updateHeld } from './update-held.ts'

export interface SettleOptions<Database> extends Lease<Database> {
  /**
   * The columns to set, their state among them: `{ state: 'done' }`, or `{ state: 'queued', due_at: … }` to
   * try again.
   */
  readonly set: UpdateObject<Database, JobTable<Database>> & { readonly state: unknown }
}

/**
 * Ends the claim of rows. Rows that were claimed anew in the meantime stay as they are.
 *
 * @returns the ids of the rows that the claim still held.
 */
export function settle<Database>(
  handle: Handle<Database>,
  { set, ...lease }: SettleOptions<Database>,
): Promise<readonly string[]> {
  return updateHeld(handle, lease, { ...(set as object), lease_owner: null, lease_until: null })
}

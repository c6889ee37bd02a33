import type { UpdateObject } from 'kysely'
import { type Handle, type JobTable, type Lease, type QueueDatabase } from './job-table.ts'

export interface SettleOptions<Database> extends Lease<Database> {
  /** What they become, their state among it: `{ state: 'done' }`, or `{ state: 'queued', due_at: … }` to try again. */
  readonly set: UpdateObject<Database, JobTable<Database>> & { readonly state: unknown }
}

/**
 * Ends the claim of rows. Rows that were claimed anew in the meantime stay as they are.
 *
 * @returns the ids of the rows that the claim still held.
 */
export async function settle<Database>(
  handle: Handle<Database>,
  { ids, leaseOwner, set, table }: SettleOptions<Database>,
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await (handle as unknown as Handle<QueueDatabase>)
    .updateTable(table as 'queue')
    .set({ ...(set as object), lease_owner: null, lease_until: null })
    .where('id', 'in', ids)
    .where('lease_owner', '=', leaseOwner)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

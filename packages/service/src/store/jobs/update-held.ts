import type { UpdateObject } from 'kysely'
import type { Handle, JobColumns, Lease } from './job-table.ts'

/** A database with one queue, as the statements that are the same for every queue see it. */
interface QueueDatabase {
  readonly queue: JobColumns
}

/**
 * Changes the rows of a claim that no later claim has taken: a worker that was frozen for longer than its lease changes nothing.
 *
 * @returns the ids of the rows that were changed.
 */
export async function updateHeld<Database>(
  handle: Handle<Database>,
  { ids, leaseOwner, table }: Lease<Database>,
  set: UpdateObject<QueueDatabase, 'queue'>,
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await (handle as unknown as Handle<QueueDatabase>)
    .updateTable(table as 'queue')
    .set(set)
    .where('id', 'in', ids)
    .where('lease_owner', '=', leaseOwner)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

import type { Transaction } from 'kysely'
import type { ConnectionRow, Database } from '../store/schema.ts'

/**
 * The row of a connection, which nobody else changes until the end of the transaction; undefined when it is gone. An update
 * that changes nothing locks it on either engine.
 */
export async function lockConnection(
  transaction: Transaction<Database>,
  { connectionId, projectId }: { readonly projectId: string; readonly connectionId: string },
): Promise<ConnectionRow | undefined> {
  return transaction
    .updateTable('connections')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', connectionId)
    .where('project_id', '=', projectId)
    .returningAll()
    .executeTakeFirst()
}

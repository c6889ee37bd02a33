import type { Transaction } from 'kysely'
import type { Database } from '../store/schema.ts'

/** Deletes a project and what it holds: most of it goes with its row, and what has no foreign keys goes here. */
export async function deleteProject(transaction: Transaction<Database>, projectId: string): Promise<void> {
  // Deliveries have no index by project.
  const webhooks = transaction.selectFrom('webhooks').select('id').where('project_id', '=', projectId)
  await transaction
    .deleteFrom('attempts')
    .where('delivery_id', 'in', (from) =>
      from.selectFrom('deliveries').select('id').where('webhook_id', 'in', webhooks),
    )
    .execute()
  await transaction.deleteFrom('deliveries').where('webhook_id', 'in', webhooks).execute()
  await transaction.deleteFrom('events').where('project_id', '=', projectId).execute()
  await transaction
    .deleteFrom('idempotency_keys')
    .where('holder_id', 'in', (from) =>
      from.selectFrom('api_keys').select('id').where('project_id', '=', projectId),
    )
    .execute()
  await transaction.deleteFrom('projects').where('id', '=', projectId).execute()
}

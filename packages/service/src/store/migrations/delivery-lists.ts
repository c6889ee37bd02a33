import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Plain } from './table-parts.ts'

/** Adds the order of all deliveries of a project, and that of the few that did not arrive. */
export const deliveryLists: Migration = {
  async up({ schema }: Plain) {
    const columns = ['project_id', 'created_at', 'id']
    await schema.createIndex('deliveries_by_project').on('deliveries').columns(columns).execute()
    await schema
      .createIndex('deliveries_not_arrived')
      .on('deliveries')
      .columns(columns)
      .where(sql<boolean>`state in ('exhausted', 'cancelled', 'expired')`)
      .execute()
  },
}

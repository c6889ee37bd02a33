import type { Migration } from 'kysely/migration'
import { byProject, type Plain, projectId } from './table-parts.ts'

/** Adds the log of which key changed what. */
export const auditLog: Migration = {
  async up({ schema }: Plain) {
    const table = projectId(schema.createTable('audit_log').addColumn('id', 'text', (id) => id.primaryKey()))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('via', 'text', (column) => column.notNull())
      .addColumn('operation', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
    const texts = ['key_id', 'key_name', 'resource_id', 'code', 'request_id']
    await texts.reduce((made, name) => made.addColumn(name, 'text'), table).execute()
    await byProject(schema, ['audit_log'])
    await schema.createIndex('audit_log_by_age').on('audit_log').columns(['created_at']).execute()
  },
}

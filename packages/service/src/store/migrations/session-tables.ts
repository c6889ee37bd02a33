import type { Migration } from 'kysely/migration'
import { type Plain, projectId } from './table-parts.ts'

/** Adds sign-ins of the dashboard, which end with their key. */
export const sessionTables: Migration = {
  async up({ schema }: Plain) {
    await ofKey(schema, 'sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('sessions_by_key').on('sessions').columns(['key_id']).execute()
    await schema.createIndex('sessions_by_end').on('sessions').columns(['expires_at']).execute()
    await ofKey(schema, 'sign_in_codes')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .execute()
  },
}

function ofKey(schema: Plain['schema'], table: string) {
  return projectId(schema.createTable(table))
    .addColumn('key_id', 'text', (column) => column.notNull().references('api_keys.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
}

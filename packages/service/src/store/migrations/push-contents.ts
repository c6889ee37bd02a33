import type { Migration } from 'kysely/migration'
import type { Plain } from './table-parts.ts'

/** Adds the order of a push, the commits it sent, and the outcome for files whose unit is gone. */
export const pushContents: Migration = {
  async up({ schema }: Plain) {
    for (const column of ['git', 'settings', 'sent', 'removed', 'kept'])
      await schema.alterTable('pushes').addColumn(column, 'text').execute()
    await ofPush(schema, 'push_items')
      .addColumn('generation_id', 'text', (column) => column.notNull())
      .addColumn('asked', 'integer', (column) => column.notNull())
      .addColumn('item', 'text', (column) => column.notNull())
      .addColumn('dialect', 'text', (column) => column.notNull())
      .addColumn('generated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('push_items_key', ['push_id', 'unit_id'])
      .execute()
    await ofPush(schema, 'push_paths')
      .addColumn('path', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('push_paths_key', ['push_id', 'unit_id', 'path'])
      .execute()
  },
}

function ofPush(schema: Plain['schema'], table: string) {
  return schema
    .createTable(table)
    .addColumn('push_id', 'text', (column) => column.notNull().references('pushes.id').onDelete('cascade'))
    .addColumn('unit_id', 'text', (column) => column.notNull())
}

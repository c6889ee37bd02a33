import type { Migration } from 'kysely/migration'
import { type Plain, projectId } from './table-parts.ts'

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

/** Adds the parts that a push left out because other files of the branch define them. */
export const skippedParts: Migration = {
  async up({ schema }: Plain) {
    await schema.alterTable('pushes').addColumn('skipped', 'text').execute()
  },
}

/** Adds the plan of a push, the files in conflict, and dry runs. */
export const pushPlans: Migration = {
  async up({ schema }: Plain) {
    await schema
      .alterTable('pushes')
      .addColumn('dry_run', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    for (const column of ['conflicts', 'plan'])
      await schema.alterTable('pushes').addColumn(column, 'text').execute()
  },
}

/** Adds pushes of fixes: the analysis they are for, and the fixes that are asked for. */
export const fixPushes: Migration = {
  async up({ schema }: Plain) {
    for (const column of ['analysis_id', 'fixes'])
      await schema.alterTable('pushes').addColumn(column, 'text').execute()
  },
}

/** Adds scans that look at rows, and what they found. */
export const sourceProfiles: Migration = {
  async up({ schema }: Plain) {
    await schema
      .alterTable('scans')
      .addColumn('profile', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema.alterTable('scans').addColumn('warnings', 'text').execute()
    await projectId(schema.createTable('source_profiles'))
      .addColumn('connection_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('observed', 'text', (column) => column.notNull())
      .addColumn('profile', 'text', (column) => column.notNull())
      .addColumn('proposals', 'text', (column) => column.notNull())
      .addColumn('profiled_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('source_profiles_key', ['connection_id', 'name'] as never[])
      .addForeignKeyConstraint(
        'source_profiles_of',
        ['connection_id', 'name'] as never[],
        'source_tables',
        ['connection_id', 'name'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()
  },
}

/** Adds the tables of proposed models, which are planned again when a proposal is applied. */
export const proposedModels: Migration = {
  async up({ schema }: Plain) {
    await schema.alterTable('proposals').addColumn('items', 'text').execute()
    await schema.alterTable('pushes').addColumn('proposal_items', 'text').execute()
  },
}

/** Adds the most rows that a table may have to be read by a scan. */
export const scanBudgets: Migration = {
  async up({ schema }: Plain) {
    await schema.alterTable('scans').addColumn('max_rows', 'bigint').execute()
  },
}

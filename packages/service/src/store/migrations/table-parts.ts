import type { CreateTableBuilder, Kysely } from 'kysely'

/** A database without typed tables. */
export type Plain = Kysely<Record<string, Record<string, unknown>>>

type Table = CreateTableBuilder<string>

/** Adds the columns of resources that requests change. */
export function records(table: Table): Table {
  return projectId(table.addColumn('id', 'text', (column) => column.primaryKey()))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
}

export function projectId(table: Table): Table {
  return table.addColumn('project_id', 'text', (column) =>
    column.notNull().references('projects.id').onDelete('cascade'),
  )
}

/** Adds the columns of jobs, which run in the background. */
export function jobs(table: Table): Table {
  return projectId(table.addColumn('id', 'text', (column) => column.primaryKey()))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('error', 'text')
    .addColumn('cancel', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
}

/** Lists are ordered from newest to oldest. */
export async function byProject(schema: Plain['schema'], tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await schema
      .createIndex(`${table}_by_project`)
      .on(table)
      .columns(['project_id', 'created_at', 'id'])
      .execute()
  }
}

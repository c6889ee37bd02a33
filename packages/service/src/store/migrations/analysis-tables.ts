import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { byProject, jobs, type Plain, projectId } from './table-parts.ts'

/** Adds checks of dbt projects, and their findings. */
export const analysisTables: Migration = {
  async up({ schema }: Plain) {
    await analyses(schema)
    await findings(schema)
  },
}

async function analyses(schema: Plain['schema']): Promise<void> {
  const table = jobs(schema.createTable('analyses'))
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('rules', 'text', (column) => column.notNull())
  const texts = [
    'branch',
    'path',
    'archive',
    'progress',
    'commit_id',
    'folder',
    'score',
    'findings',
    'not_checked',
  ]
  const numbers = ['files', 'models', 'unlisted', 'suppressed', 'unchecked']
  const withTexts = texts.reduce((made, name) => made.addColumn(name, 'text'), table)
  await numbers.reduce((made, name) => made.addColumn(name, 'integer'), withTexts).execute()
  await byProject(schema, ['analyses'])
  await schema
    .createIndex('analyses_by_target')
    .on('analyses')
    .columns(['project_id', 'target', 'created_at'])
    .execute()
  await schema
    .createIndex('analyses_due')
    .on('analyses')
    .column('due_at')
    .where(sql<boolean>`state = 'queued'`)
    .execute()
  await schema
    .createIndex('analyses_leased')
    .on('analyses')
    .column('lease_until')
    .where(sql<boolean>`state = 'running'`)
    .execute()
}

async function findings(schema: Plain['schema']): Promise<void> {
  const table = projectId(
    schema.createTable('findings').addColumn('id', 'text', (column) => column.primaryKey()),
  )
    .addColumn('analysis_id', 'text', (column) =>
      column.notNull().references('analyses.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('fix', 'text')
  const texts = [
    'rule',
    'name',
    'rule_group',
    'severity',
    'state',
    'message',
    'help',
    'path',
    'text',
    'subject',
    'fingerprint',
  ]
  const numbers = ['start_line', 'start_column', 'end_line', 'end_column']
  const withTexts = texts.reduce(
    (made, name) => made.addColumn(name, 'text', (column) => column.notNull()),
    table,
  )
  await numbers
    .reduce((made, name) => made.addColumn(name, 'integer', (column) => column.notNull()), withTexts)
    .execute()
  await schema
    .createIndex('findings_by_analysis')
    .on('findings')
    .columns(['analysis_id', 'created_at', 'id'])
    .execute()
}

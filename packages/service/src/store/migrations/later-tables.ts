import type { Migration } from 'kysely/migration'
import { byProject, jobs, type Plain, projectId } from './table-parts.ts'
import { sql } from 'kysely'

/** Adds the parameters of a push, the commits it sent, and the outcome for files without a unit. */
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

/** Adds pushes of fixes: the analysis they are for, and the requested fixes. */
export const fixPushes: Migration = {
  async up({ schema }: Plain) {
    for (const column of ['analysis_id', 'fixes'])
      await schema.alterTable('pushes').addColumn(column, 'text').execute()
  },
}

/** Adds scans that read rows, and their findings. */
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

/** Adds the row limit for tables that a scan reads. */
export const scanBudgets: Migration = {
  async up({ schema }: Plain) {
    await schema.alterTable('scans').addColumn('max_rows', 'bigint').execute()
  },
}

/** Adds the byte limit for tables that a scan reads. */
export const scanBytes: Migration = {
  async up({ schema }: Plain) {
    await schema.alterTable('scans').addColumn('max_bytes', 'bigint').execute()
  },
}

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

/** Adds the audit log of changes by key. */
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

/** Adds indexes of all deliveries of a project, and of the failed ones. */
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

/** Adds the number of generations to keep of each unit. */
export const generationRetention: Migration = {
  async up({ schema }: Plain) {
    await schema.alterTable('projects').addColumn('keep_generations', 'integer').execute()
  },
}

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

/** Adds the request and the column count of a generation, and the changes of a unit since. */
export const changesOfUnits: Migration = {
  async up({ schema }: Plain) {
    const add = (table: string, column: string, type: 'text' | 'bigint') =>
      schema.alterTable(table).addColumn(column, type).execute()
    await add('generations', 'asked_by', 'text')
    await add('generations', 'column_count', 'bigint')
    await add('units', 'source_changed_at', 'bigint')
    await add('units', 'edited_at', 'bigint')
  },
}

import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { byProject, jobs, type Plain, projectId, records } from './table-parts.ts'
import { webhookTables } from './webhook-tables.ts'

/** Creates the first tables. */
export const firstTables: Migration = {
  async up(database: Plain) {
    await projects(database)
    await work(database)
    await webhookTables(database)
    await requests(database)
  },
}

async function projects({ schema }: Plain): Promise<void> {
  await schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
  await schema
    .createTable('projects')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('dialect', 'text')
    .addColumn('dbt_version', 'text')
    .addColumn('config', 'text', (column) => column.notNull())
    .addColumn('connection_id', 'text')
    .addColumn('git', 'text')
    .addColumn('git_secret', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await projectId(schema.createTable('api_keys').addColumn('id', 'text', (column) => column.primaryKey()))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute()
  await records(schema.createTable('connections'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('catalog', 'text', (column) => column.notNull())
    .addColumn('last_test', 'text')
    .execute()
  await byProject(schema, ['api_keys', 'connections'])
}

async function work({ schema }: Plain): Promise<void> {
  await jobs(schema.createTable('scans'))
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('progress', 'text')
    .addColumn('tables', 'integer')
    .addColumn('columns', 'integer')
    .addColumn('changes', 'text')
    .addColumn('dialect', 'text')
    .addColumn('states_database', 'integer')
    .execute()
  await schema
    .createIndex('scans_by_connection')
    .on('scans')
    .columns(['connection_id', 'finished_at'])
    .execute()
  await projectId(schema.createTable('source_tables'))
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('lower_name', 'text', (column) => column.notNull())
    .addColumn('database_name', 'text')
    .addColumn('schema_name', 'text')
    .addColumn('table_name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('comment', 'text')
    .addColumn('columns', 'integer', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('scan_id', 'text', (column) => column.notNull())
    .addColumn('scanned_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('source_tables_key', ['connection_id', 'name'] as never[])
    .execute()
  await schema
    .createIndex('source_tables_by_project')
    .on('source_tables')
    .columns(['project_id', 'name', 'connection_id'])
    .execute()
  await records(schema.createTable('units'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('connection_id', 'text')
    .addColumn('last_generation_id', 'text')
    .addUniqueConstraint('units_once', ['project_id', 'type', 'source'] as never[])
    .execute()
  await generations(schema)
  await pushes(schema)
  await byProject(schema, ['scans', 'units', 'generations', 'pushes'])
  for (const table of ['scans', 'generations', 'pushes']) {
    await schema
      .createIndex(`${table}_to_do`)
      .on(table)
      .columns(['state', 'due_at'])
      .where(sql.ref('state'), 'in', ['queued', 'running'])
      .execute()
  }
}

async function generations(schema: Plain['schema']): Promise<void> {
  await jobs(schema.createTable('generations'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('unit_id', 'text', (column) => column.references('units.id').onDelete('cascade'))
    .addColumn('batch_id', 'text', (column) => column.references('generations.id').onDelete('cascade'))
    .addColumn('unit_ids', 'text')
    .addColumn('columns', 'text', (column) => column.notNull())
    .addColumn('is_request', 'integer', (column) => column.notNull())
    .addColumn('announced', 'integer', (column) => column.notNull())
    .addColumn('dialect', 'text')
    .addColumn('item', 'text')
    .addColumn('tests', 'text')
    .addColumn('warnings', 'text')
    .addColumn('tokens_used', 'integer', (column) => column.notNull())
    .addColumn('duration_ms', 'bigint')
    .execute()
  await schema.createIndex('generations_by_unit').on('generations').columns(['unit_id']).execute()
  await schema.createIndex('generations_by_batch').on('generations').columns(['batch_id']).execute()
  await schema
    .createTable('generation_files')
    .addColumn('generation_id', 'text', (column) =>
      column.notNull().references('generations.id').onDelete('cascade'),
    )
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('lines', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('generation_files_key', ['generation_id', 'path'])
    .execute()
}

async function pushes(schema: Plain['schema']): Promise<void> {
  await jobs(schema.createTable('pushes'))
    .addColumn('branch', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('unit_ids', 'text')
    .addColumn('overwrite', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('commit_id', 'text')
    .addColumn('files', 'text')
    .execute()
  await projectId(schema.createTable('pushed_files'))
    .addColumn('remote', 'text', (column) => column.notNull())
    .addColumn('branch', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('pushed_files_key', [
      'project_id',
      'remote',
      'branch',
      'path',
      'sha256',
    ] as never[])
    .execute()
}

async function requests({ schema }: Plain): Promise<void> {
  await schema
    .createTable('idempotency_keys')
    .addColumn('holder_id', 'text', (column) => column.notNull())
    .addColumn('route', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('body_hash', 'text', (column) => column.notNull())
    .addColumn('token', 'text')
    .addColumn('locked_until', 'bigint')
    .addColumn('answer', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['holder_id', 'route', 'key'])
    .execute()
  await schema.createIndex('idempotency_keys_by_age').on('idempotency_keys').columns(['created_at']).execute()
  await schema
    .createIndex('idempotency_keys_by_token')
    .on('idempotency_keys')
    .columns(['token'])
    .where(sql.ref('token'), 'is not', null)
    .execute()
  await schema
    .createTable('rate_limits')
    .addColumn('holder_id', 'text', (column) => column.primaryKey())
    .addColumn('whole_at', 'double precision', (column) => column.notNull())
    .execute()
}

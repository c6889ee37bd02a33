import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { byProject, jobs, type Plain, projectId } from './table-parts.ts'

/** Adds conversations about projects: their messages, what happened in them, proposals, settings and budgets. */
export const assistantTables: Migration = {
  async up({ schema }: Plain) {
    await settings(schema)
    await conversations(schema)
    await messages(schema)
    await proposals(schema)
    await schema.alterTable('pushes').addColumn('proposal', 'text').execute()
  },
}

type Schema = Plain['schema']

async function settings(schema: Schema): Promise<void> {
  await schema
    .createTable('assistant_settings')
    .addColumn('project_id', 'text', (column) =>
      column.primaryKey().references('projects.id').onDelete('cascade'),
    )
    .addColumn('provider', 'text')
    .addColumn('model', 'text')
    .addColumn('base_url', 'text')
    .addColumn('api_key', 'text')
    .addColumn('tokens_per_day', 'bigint')
    .execute()
  await schema
    .createTable('assistant_usage')
    .addColumn('project_id', 'text', (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('tokens', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('assistant_usage_key', ['project_id', 'day'])
    .execute()
}

async function conversations(schema: Schema): Promise<void> {
  await projectId(
    schema.createTable('conversations').addColumn('id', 'text', (column) => column.primaryKey()),
  )
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('title', 'text')
    .addColumn('messages', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await byProject(schema, ['conversations'])
}

async function messages(schema: Schema): Promise<void> {
  await jobs(schema.createTable('messages'))
    .addColumn('conversation_id', 'text', (column) =>
      column.notNull().references('conversations.id').onDelete('cascade'),
    )
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('seen', 'text')
    .addColumn('usage', 'text', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('messages_by_conversation')
    .on('messages')
    .columns(['conversation_id', 'created_at', 'id'])
    .execute()
  await schema
    .createIndex('messages_due')
    .on('messages')
    .column('due_at')
    .where(sql<boolean>`state = 'queued'`)
    .execute()
  await schema
    .createIndex('messages_leased')
    .on('messages')
    .column('lease_until')
    .where(sql<boolean>`state = 'running'`)
    .execute()
  await schema
    .createIndex('messages_open')
    .on('messages')
    .column('project_id')
    .where(sql<boolean>`state in ('queued', 'running')`)
    .execute()
  await schema
    .createTable('message_events')
    .addColumn('message_id', 'text', (column) =>
      column.notNull().references('messages.id').onDelete('cascade'),
    )
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('message_events_key', ['message_id', 'number'])
    .execute()
}

async function proposals(schema: Schema): Promise<void> {
  await projectId(schema.createTable('proposals').addColumn('id', 'text', (column) => column.primaryKey()))
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) =>
      column.references('conversations.id').onDelete('set null'),
    )
    .addColumn('message_id', 'text', (column) => column.references('messages.id').onDelete('set null'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('files', 'text', (column) => column.notNull())
    .addColumn('evidence', 'text', (column) => column.notNull())
    .addColumn('notes', 'text', (column) => column.notNull())
    .addColumn('folder', 'text', (column) => column.notNull())
    .addColumn('push_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await byProject(schema, ['proposals'])
}

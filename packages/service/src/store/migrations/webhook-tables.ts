import { byProject, type Plain, records } from './table-parts.ts'
import { type SchemaModule, sql } from 'kysely'

/** Without foreign keys, because their locks would block claims of deliveries. The busy columns stay small. */
export async function webhookTables({ schema }: Plain): Promise<void> {
  await schema
    .createTable('events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('is_test', 'integer', (column) => column.notNull())
    .execute()
  await records(schema.createTable('webhooks'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_secret_expires_at', 'bigint')
    .addColumn('headers', 'text')
    .addColumn('header_names', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('notice', 'text')
    .addColumn('consecutive_failures', 'integer', (column) => column.notNull())
    .addColumn('failing_since', 'bigint')
    .addColumn('last_success_at', 'bigint')
    .addColumn('breaker_until', 'bigint')
    .addColumn('breaker_opens', 'integer', (column) => column.notNull())
    .addColumn('window_size', 'integer', (column) => column.notNull())
    .execute()
  await deliveryTables(schema)
  await byProject(schema, ['events', 'webhooks'])
}

/** Deliveries and their attempts. */
async function deliveryTables(schema: SchemaModule): Promise<void> {
  await deliveries(schema)
  await indexes(schema)
  await attempts(schema)
}

async function deliveries(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('trigger', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('last_status', 'integer')
    .addColumn('last_failure', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .execute()
}

/** Partial indexes of waiting and running deliveries, without the millions of finished ones. */
async function indexes(schema: SchemaModule): Promise<void> {
  await schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .columns(['webhook_id', 'next_at'])
    .where(sql.ref('state'), '=', 'pending')
    .execute()
  await schema
    .createIndex('deliveries_due_next')
    .on('deliveries')
    .columns(['next_at', 'webhook_id'])
    .where(sql.ref('state'), '=', 'pending')
    .execute()
  await schema
    .createIndex('deliveries_leased')
    .on('deliveries')
    .columns(['webhook_id', 'lease_until'])
    .where(sql.ref('state'), '=', 'sending')
    .execute()
  await schema
    .createIndex('deliveries_once')
    .unique()
    .on('deliveries')
    .columns(['event_id', 'webhook_id'])
    .where(sql.ref('trigger'), '=', 'event')
    .execute()
  await schema
    .createIndex('deliveries_again')
    .on('deliveries')
    .columns(['event_id', 'webhook_id'])
    .where(sql.ref('trigger'), '<>', 'event')
    .execute()
  await schema
    .createIndex('deliveries_by_state')
    .on('deliveries')
    .columns(['webhook_id', 'state', 'created_at', 'id'])
    .execute()
  await schema
    .createIndex('deliveries_by_webhook')
    .on('deliveries')
    .columns(['webhook_id', 'created_at', 'id'])
    .execute()
}

async function attempts(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('attempts')
    .addColumn('delivery_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('failure', 'text')
    .addColumn('duration_ms', 'integer')
    .addColumn('excerpt', 'text')
    .addPrimaryKeyConstraint('attempts_key', ['delivery_id', 'number'])
    .execute()
}

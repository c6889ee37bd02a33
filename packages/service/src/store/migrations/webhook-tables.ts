import { deliveryTables } from './delivery-tables.ts'
import { byProject, type Plain, records } from './table-parts.ts'

/** No foreign keys here: their locks would hold up those who claim deliveries, and what is hot stays lean. */
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

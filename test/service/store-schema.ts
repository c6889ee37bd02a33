import type { JobColumns } from '../../packages/service/src/store/job-columns.ts'
import type { Store } from '../../packages/service/src/store/store.ts'
import type { Migrations } from '../../packages/service/src/store/migrate.ts'
import type { Kysely } from 'kysely'
import type { StoreOf } from './each-store.ts'

/** A small schema for the tests of the store itself. */
export interface TestDatabase {
  readonly notes: { readonly id: string; readonly created_at: number; readonly body: string }
  readonly note_tags: { readonly note_id: string; readonly tag: string }
  /** As far as claims look at jobs. */
  readonly scans: QueueColumns & { readonly result: string | null }
}

type QueueColumns = Pick<JobColumns, 'id' | 'due_at' | 'attempts' | 'lease_owner' | 'lease_until'> & {
  readonly state: string
  readonly started_at: number | null
}

/** Returns the store as the service takes it. */
export function asStore(store: StoreOf<TestDatabase>): Store {
  return store as unknown as Store
}

export const TEST_MIGRATIONS: Migrations = {
  '0001_notes': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('notes')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('note_tags')
        .addColumn('note_id', 'text', (column) => column.notNull().references('notes.id'))
        .addColumn('tag', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '0002_jobs': {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('scans')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('lease_owner', 'text')
        .addColumn('lease_until', 'bigint')
        .addColumn('started_at', 'bigint')
        .addColumn('result', 'text')
        .execute()
      await db.schema
        .createIndex('jobs_due')
        .on('scans')
        .columns(['due_at', 'id'])
        .where('state' as never, '=', 'queued')
        .execute()
      await db.schema
        .createIndex('jobs_lease')
        .on('scans')
        .column('lease_until')
        .where('state' as never, '=', 'running')
        .execute()
    },
  },
}

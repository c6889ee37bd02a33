import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../store/schema.ts'
import type { Store } from '../store/store.ts'

/**
 * The time of the database, read once for the statement. PostgreSQL reads a clock that runs on anew for each row, and so
 * finds nothing by an index that is compared with it.
 */
export function nowOnce(store: Store<Database>): RawBuilder<number> {
  return sql<number>`(select ${store.nowMs()})`
}

import type { Database } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { takeFromPostgres } from './take-from-postgres.ts'
import { takeFromSqlite } from './take-from-sqlite.ts'
import type { TakenRow, TakeOptions } from './taken-row.ts'

/** Takes deliveries that are due, the oldest of each webhook, and notes an attempt for each. No two get the same one. */
export async function take(store: Store<Database>, options: TakeOptions): Promise<readonly TakenRow[]> {
  return store.engine === 'postgres' ? takeFromPostgres(store, options) : takeFromSqlite(store, options)
}

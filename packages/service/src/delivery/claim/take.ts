import type { DeliveryTrigger } from '@stagecraft/spec/api'
import type { Database } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { takeFromPostgres } from './take-from-postgres.ts'
import { takeFromSqlite } from './take-from-sqlite.ts'

export interface TakeOptions {
  /** How many of each webhook. */
  readonly shares: ReadonlyMap<string, number>
  readonly leaseMs: number
  /** The token of this claim. */
  readonly leaseOwner: string
}

/** A delivery as it was taken, with what it delivers. */
export interface TakenRow {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly trigger: DeliveryTrigger
  readonly attempts: number
  readonly created_at: number
  readonly last_failure: string | null
  readonly payload: string | null
  /** When it was taken. */
  readonly now: number
}

/** Takes deliveries that are due, the oldest of each webhook, and notes an attempt for each. No two get the same one. */
export async function take(store: Store<Database>, options: TakeOptions): Promise<readonly TakenRow[]> {
  return store.engine === 'postgres' ? takeFromPostgres(store, options) : takeFromSqlite(store, options)
}

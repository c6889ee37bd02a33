import { sql } from 'kysely'
import type { Store } from '../store/store.ts'

/** The number of deliveries that wait to be sent. */
export interface DeliveryDepth {
  /** The number that could be sent now. */
  readonly due: number
  /** The number that wait for their time. */
  readonly parked: number
  /** The time for which the oldest due one has waited; 0 without one. */
  readonly oldestDueMs: number
}

/** Counts what waits: by indexes alone, though a million takes some time. */
export async function deliveryDepth(store: Store): Promise<DeliveryDepth> {
  const now = store.nowOnce()
  const { rows } = await sql<{ due: number; parked: number; oldest: number | null; now: number }>`
    select ${now} as now,
      (select count(*) from deliveries where state = 'pending' and next_at <= ${now}) as due,
      (select count(*) from deliveries where state = 'pending' and next_at > ${now}) as parked,
      (select min(next_at) from deliveries where state = 'pending') as oldest`.execute(store.db)
  const [row] = rows
  if (row === undefined) throw new TypeError('expected a row of counts, got none')
  return {
    due: row.due,
    parked: row.parked,
    oldestDueMs: row.due === 0 || row.oldest === null ? 0 : Math.max(0, row.now - row.oldest),
  }
}

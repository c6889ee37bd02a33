import { sql } from 'kysely'
import type { Store } from '../../store/store.ts'

export interface DueWebhooks {
  /** The number of due deliveries of each webhook among those examined. */
  readonly counts: ReadonlyMap<string, number>
  /** True if there may be others, hidden by those that have waited long. */
  readonly isCut: boolean
}

const LOOKED_AT = 512

/** The webhooks of the deliveries that have been due for the longest time. */
export async function findDue(store: Store): Promise<DueWebhooks> {
  const { rows } = await sql<{ webhook_id: string; due: number }>`
    select webhook_id, count(*) as due from (
      select webhook_id from deliveries where state = 'pending' and next_at <= ${store.nowOnce()}
      order by next_at limit ${sql.lit(LOOKED_AT)}
    ) as oldest group by webhook_id`.execute(store.db)
  const counts = new Map(rows.map(({ due, webhook_id }) => [webhook_id, due]))
  return { counts, isCut: rows.reduce((sum, { due }) => sum + due, 0) >= LOOKED_AT }
}

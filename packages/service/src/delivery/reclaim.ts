import { sql } from 'kysely'
import type { Store } from '../store/store.ts'

const AT_ONCE = 500

/**
 * Makes deliveries due again whose lease ran out: their process ended, or was frozen. Their attempt stays unknown.
 *
 * @returns how many.
 */
export async function reclaim(store: Store): Promise<number> {
  const now = store.nowOnce()
  const skip = store.engine === 'postgres' ? sql`for no key update skip locked` : sql``
  const isWanted = sql`exists (select 1 from webhooks where webhooks.id = webhook_id and webhooks.state <> 'disabled')`
  const { rows } = await sql<{ id: string }>`
    update deliveries set
      state = case when trigger = 'test' then 'exhausted' when ${isWanted} then 'pending' else 'cancelled' end,
      finished_at = case when trigger <> 'test' and ${isWanted} then null else ${now} end,
      next_at = ${now}, lease_owner = null, lease_until = null
    where id in (
      select id from deliveries where state = 'sending' and lease_until <= ${now} limit ${AT_ONCE} ${skip}
    ) and state = 'sending' returning id`.execute(store.db)
  return rows.length
}

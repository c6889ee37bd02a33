import { type RawBuilder, sql } from 'kysely'
import type { WebhookRow } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import type { Endpoint } from '../send-claimed.ts'

interface DueWebhooks {
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

/** A webhook that takes deliveries now. */
export type ReadyEndpoint = Endpoint &
  Pick<WebhookRow, 'window_size' | 'breaker_until'> & {
    /** The number of its deliveries under way in all processes. */
    readonly in_flight: number
  }

/** Of the webhooks named, those that take deliveries now. */
export async function readyAmong(store: Store, ids: readonly string[]): Promise<readonly ReadyEndpoint[]> {
  return await read(store, sql`id in (${sql.join(ids)}) order by id`)
}

/** Webhooks that take deliveries now and have some that are due, in the order of their ids. */
export async function readyAfter(
  store: Store,
  { id, limit }: { readonly id: string; readonly limit: number },
): Promise<readonly ReadyEndpoint[]> {
  // The earliest is the first of an index; whether there is one that is due would be looked for among all.
  const earliest = sql`(select min(next_at) from deliveries where webhook_id = webhooks.id and state = 'pending')`
  return await read(store, sql`id > ${id} and ${earliest} <= ${store.nowOnce()} order by id limit ${limit}`)
}

async function read(store: Store, condition: RawBuilder<unknown>): Promise<readonly ReadyEndpoint[]> {
  const { rows } = await sql<ReadyEndpoint>`
    select id, url, secret, previous_secret, previous_secret_expires_at, headers, window_size, breaker_until,
      (select count(*) from deliveries where webhook_id = webhooks.id and state = 'sending') as in_flight
    from webhooks
    where state = 'active' and (breaker_until is null or breaker_until <= ${store.nowOnce()}) and ${condition}`.execute(
    store.db,
  )
  return rows
}

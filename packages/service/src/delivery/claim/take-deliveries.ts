import type { DeliveryTrigger } from '@stagecraft/spec/api'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { jsonRows } from '../json-rows.ts'

interface TakeOptions {
  /** The number of deliveries for each webhook. */
  readonly shares: ReadonlyMap<string, number>
  readonly leaseMs: number
  /** The token of this claim. */
  readonly leaseOwner: string
}

/** A claimed delivery with its event. */
export interface ClaimedRow {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly trigger: DeliveryTrigger
  readonly attempts: number
  readonly created_at: number
  readonly last_failure: string | null
  readonly payload: string | null
  /** The time of the claim. */
  readonly now: number
}

/** Claims in one statement: one round trip and one commit. */
export async function takeFromPostgres(
  store: Store,
  { leaseMs, leaseOwner, shares }: TakeOptions,
): Promise<readonly ClaimedRow[]> {
  const wishes = [...shares].map(([webhook, share]) => ({ webhook, share }))
  const given = jsonRows('postgres', wishes, { text: ['webhook'], bigint: ['share'] })
  // The limit never cuts anything off. Without it the planner expects thousands of rows and scans whole tables.
  const total = wishes.reduce((sum, { share }) => sum + share, 0)
  const { rows } = await sql<ClaimedRow>`
    with clock as materialized (select ${store.nowMs()} as now),
    due as materialized (
      select oldest.id from ${given} cross join lateral (
        select id from deliveries
        where webhook_id = given.webhook and state = 'pending' and next_at <= (select now from clock)
        order by next_at limit given.share
        for no key update skip locked
      ) as oldest limit ${total}
    ), taken as (
      update deliveries set state = 'sending', attempts = attempts + 1, lease_owner = ${leaseOwner},
        lease_until = (select now from clock) + ${leaseMs}
      from due where deliveries.id = due.id
      returning deliveries.id, webhook_id, event_id, trigger, attempts, created_at, last_failure, next_at
    ), noted as (
      insert into attempts (delivery_id, number, started_at, outcome)
      select id, attempts, (select now from clock), 'unknown' from taken
    )
    select taken.*, events.payload, (select now from clock) as now
    from taken left join events on events.id = taken.event_id
    order by taken.next_at, taken.id`.execute(store.db)
  return rows
}

/** Claims in the only transaction that writes. */
export async function takeFromSqlite(store: Store, options: TakeOptions): Promise<readonly ClaimedRow[]> {
  return await store.transaction(async (transaction) => {
    const now = await store.now(transaction)
    for (const [webhookId, share] of options.shares)
      await lease(transaction, { webhookId, share, now, ...options })
    return await noteAttempts(transaction, options.leaseOwner, now)
  })
}

interface LeaseOptions extends TakeOptions {
  readonly webhookId: string
  readonly share: number
  readonly now: number
}

async function lease(
  transaction: Transaction<Database>,
  { leaseMs, leaseOwner, now, share, webhookId }: LeaseOptions,
): Promise<void> {
  await sql`
    update deliveries set state = 'sending', attempts = attempts + 1, lease_owner = ${leaseOwner},
      lease_until = ${now + leaseMs}
    where id in (
      select id from deliveries
      where webhook_id = ${webhookId} and state = 'pending' and next_at <= ${now}
      order by next_at limit ${share}
    )`.execute(transaction)
}

async function noteAttempts(
  transaction: Transaction<Database>,
  leaseOwner: string,
  now: number,
): Promise<readonly ClaimedRow[]> {
  // Uses the index of deliveries that are being sent.
  const isTaken = sql`state = 'sending' and lease_owner = ${leaseOwner}`
  await sql`
    insert into attempts (delivery_id, number, started_at, outcome)
    select id, attempts, ${now}, 'unknown' from deliveries indexed by deliveries_leased where ${isTaken}`.execute(
    transaction,
  )
  const { rows } = await sql<ClaimedRow>`
    select deliveries.id, webhook_id, event_id, trigger, attempts, deliveries.created_at, last_failure, payload,
      ${now} as now
    from deliveries indexed by deliveries_leased left join events on events.id = event_id
    where ${isTaken} order by next_at, deliveries.id`.execute(transaction)
  return rows
}

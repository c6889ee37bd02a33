import { sql } from 'kysely'
import type { Store } from '../../store/store.ts'
import { jsonRows } from '../json-rows.ts'
import type { TakenRow, TakeOptions } from './taken-row.ts'

/** In one statement: one way to the server, and one commit. */
export async function takeFromPostgres(
  store: Store,
  { leaseMs, leaseOwner, shares }: TakeOptions,
): Promise<readonly TakenRow[]> {
  const wishes = [...shares].map(([webhook, share]) => ({ webhook, share }))
  const given = jsonRows('postgres', wishes, { text: ['webhook'], bigint: ['share'] })
  // No more than this in any case; it is said because the planner guesses thousands, and would read whole tables for them.
  const total = wishes.reduce((sum, { share }) => sum + share, 0)
  const { rows } = await sql<TakenRow>`
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

import { sql } from 'kysely'
import type { ServiceContext } from '../../../packages/service/src/context.ts'
import { PROJECT } from '../../service/deliveries/delivery-world.ts'

export interface FillOptions {
  /** How many events; each of them goes to every webhook. */
  readonly events: number
  /** When they are due, from now. */
  readonly inMs: number
  /** What their ids begin with, after the prefix. */
  readonly name: string
}

const DATA =
  '{"unit_id":"unit_01","unit_name":"payments","unit_type":"staging","source":"raw.stripe.payments","options":{"addTests":true,"addDocs":true}}'

/** Writes events and deliveries as if they had been published, by two statements. */
export async function fillDeliveries(
  { store }: ServiceContext,
  { events, inMs, name }: FillOptions,
): Promise<void> {
  const now = await store.now()
  const id = sql`${sql.lit(`evt_${name}_`)} || cast(i + 10000000 as text)`
  const head = sql.lit('{"id":"')
  const tail = sql.lit(
    `","event":"unit.deleted","created_at":"${new Date(now).toISOString()}","project_id":"${PROJECT}","data":${DATA}}`,
  )
  const numbers = sql`with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(events)})`
  await store.transaction(async (transaction) => {
    if (store.engine === 'postgres') await sql`set local statement_timeout = '10min'`.execute(transaction)
    await sql`
      insert into events (id, project_id, event, created_at, payload, is_test)
      ${numbers}
      select ${id}, ${sql.lit(PROJECT)}, 'unit.deleted', ${sql.lit(now)}, ${head} || ${id} || ${tail}, 0 from numbers`.execute(
      transaction,
    )
    await sql`
      insert into deliveries (id, project_id, webhook_id, event_id, event, state, trigger, attempts, next_at, created_at)
      select ${sql.lit(`dlv_${name}_`)} || substr(events.id, 5) || webhooks.id, events.project_id, webhooks.id, events.id,
        'unit.deleted', 'pending', 'event', 0, ${sql.lit(now + inMs)}, ${sql.lit(now)}
      from events cross join webhooks where events.id like ${sql.lit(`evt\\_${name}\\_%`)} escape '\\'`.execute(
      transaction,
    )
  })
}

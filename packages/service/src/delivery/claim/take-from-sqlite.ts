import { sql, type Transaction } from 'kysely'
import type { Database } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import type { TakenRow, TakeOptions } from './taken-row.ts'

/** In one transaction, which is the only one that writes. */
export async function takeFromSqlite(store: Store, options: TakeOptions): Promise<readonly TakenRow[]> {
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
): Promise<readonly TakenRow[]> {
  // It is the index of what is being sent that finds them.
  const isTaken = sql`state = 'sending' and lease_owner = ${leaseOwner}`
  await sql`
    insert into attempts (delivery_id, number, started_at, outcome)
    select id, attempts, ${now}, 'unknown' from deliveries indexed by deliveries_leased where ${isTaken}`.execute(
    transaction,
  )
  const { rows } = await sql<TakenRow>`
    select deliveries.id, webhook_id, event_id, trigger, attempts, deliveries.created_at, last_failure, payload,
      ${now} as now
    from deliveries indexed by deliveries_leased left join events on events.id = event_id
    where ${isTaken} order by next_at, deliveries.id`.execute(transaction)
  return rows
}

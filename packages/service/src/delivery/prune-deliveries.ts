import { sql, type Transaction } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { Database } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { cancelWaiting } from './cancel-deliveries.ts'
import { DELIVERY_RULES } from './rules/delivery-rules.ts'
import { jsonRows } from './json-rows.ts'

export interface PruneOptions {
  /** The days for which deliveries and their attempts are kept. @default 30 */
  readonly attemptsDays?: number
  /** The days for which events are kept. @default 30 */
  readonly payloadDays?: number
  /** The age at which a waiting delivery expires. @default 76 hours */
  readonly lifetimeMs?: number
}

const DAY_MS = 86_400_000
/** Small, so that no lock is held for long. */
const AT_ONCE = 500

/** Expires deliveries that waited too long, and deletes old rows in batches. */
export async function pruneDeliveries(
  { store }: ServiceContext,
  { attemptsDays = 30, lifetimeMs = DELIVERY_RULES.lifetimeMs, payloadDays = 30 }: PruneOptions = {},
): Promise<void> {
  const now = await store.now()
  await cancelForDisabled(store)
  await expire(store, now - lifetimeMs)
  await repeatWhileFull(() => deleteDeliveries(store, now - attemptsDays * DAY_MS))
  await repeatWhileFull(() => deleteEvents(store, now - payloadDays * DAY_MS))
}

async function repeatWhileFull(work: () => Promise<number>): Promise<void> {
  while ((await work()) === AT_ONCE);
}

/** Cancels the deliveries that are left when a process dies during a cancellation. */
async function cancelForDisabled(store: Store): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from webhooks where state = 'disabled'
      and exists (select 1 from deliveries where webhook_id = webhooks.id and state = 'pending')`.execute(
    store.db,
  )
  for (const { id } of rows) await cancelWaiting(store, id)
}

/** Expires deliveries of paused webhooks, and of webhooks that were deleted at the moment of the event. */
async function expire(store: Store, before: number): Promise<void> {
  const isOld = sql`state = 'pending' and created_at < ${before}`
  let after: readonly [nextAt: number, id: string] | undefined = [0, '']
  while (after !== undefined) {
    // Reads part of an index at a time, because a million rows may not be old.
    const { rows }: { rows: { id: string; next_at: number }[] } = await sql<{ id: string; next_at: number }>`
      select id, next_at from deliveries
      where state = 'pending' and next_at <= ${store.nowOnce()} and next_at >= ${after[0]}
        and (next_at, id) > (${after[0]}, ${after[1]})
      order by next_at, id limit ${AT_ONCE * 10}`.execute(store.db)
    const last = rows.at(-1)
    after = rows.length < AT_ONCE * 10 || last === undefined ? undefined : [last.next_at, last.id]
    if (rows.length === 0) continue
    await sql`
      update deliveries set state = 'expired', finished_at = ${store.nowMs()}
      where ${isOld} and id in (select id from ${jsonRows(store.engine, rows, { text: ['id'] })})`.execute(
      store.db,
    )
  }
}

async function deleteDeliveries(store: Store, before: number): Promise<number> {
  return await store.transaction(async (transaction) => {
    const old = await oldestOf(transaction, 'deliveries', before)
    if (old.length === 0) return 0
    await transaction.deleteFrom('attempts').where('delivery_id', 'in', old).execute()
    await transaction.deleteFrom('deliveries').where('id', 'in', old).execute()
    return old.length
  })
}

async function deleteEvents(store: Store, before: number): Promise<number> {
  return await store.transaction(async (transaction) => {
    const old = await oldestOf(transaction, 'events', before)
    if (old.length > 0) await transaction.deleteFrom('events').where('id', 'in', old).execute()
    return old.length
  })
}

/** Ids sort by time, so the oldest are the first of the primary key. */
async function oldestOf(
  transaction: Transaction<Database>,
  table: 'deliveries' | 'events',
  before: number,
): Promise<readonly string[]> {
  const rows = await transaction
    .selectFrom(table)
    .select(['id', 'created_at'])
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
  return rows.filter(({ created_at }) => created_at < before).map(({ id }) => id)
}

import { randomUUID } from 'node:crypto'
import { createDeliveryAgent } from '@stagecraft/webhooks'
import { sql } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { workerName } from '../worker-name.ts'
import { toClaimed } from './claim/create-claimer.ts'
import type { TakenRow } from './claim/take-deliveries.ts'
import { type ClaimedDelivery, openSecrets, sendClaimed } from './send-claimed.ts'
import { DELIVERY_RULES } from './rules/delivery-rules.ts'
import { writeOutcomes } from './outcomes/write-outcomes.ts'

const ATTEMPT_MS = 15_000
const LEASE_MS = ATTEMPT_MS + 10_000

/**
 * Sends a delivery that waits now, once, whatever the state of its webhook, and writes how that ended. One of trigger `test`
 * is not tried again. Does nothing for a delivery that does not wait.
 */
export async function sendOne(context: ServiceContext, deliveryId: string): Promise<void> {
  const { cipher, logger, settings, store } = context
  const delivery = await takeOne(context, deliveryId)
  if (delivery === undefined) return
  const agent = createDeliveryAgent(settings.deliveryPolicy)
  const open = openSecrets(cipher)
  try {
    const sent = await sendClaimed(delivery, { agent, open, timeoutMs: ATTEMPT_MS, logger })
    await writeOutcomes(store, [sent], { rules: DELIVERY_RULES, random: Math.random })
  } finally {
    await agent.close()
  }
}

async function takeOne({ store }: ServiceContext, id: string): Promise<ClaimedDelivery | undefined> {
  return await store.transaction(async (transaction) => {
    const now = await store.now(transaction)
    const leaseOwner = `${workerName()}:${randomUUID()}`
    const { rows } = await sql<Omit<TakenRow, 'payload' | 'now'>>`
      update deliveries set state = 'sending', attempts = attempts + 1, lease_owner = ${leaseOwner},
        lease_until = ${now + LEASE_MS}
      where id = ${id} and state = 'pending'
      returning id, webhook_id, event_id, trigger, attempts, created_at, last_failure`.execute(transaction)
    const [row] = rows
    if (row === undefined) return undefined
    await transaction
      .insertInto('attempts')
      .values({
        delivery_id: id,
        number: row.attempts,
        started_at: now,
        outcome: 'unknown',
        finished_at: null,
        status: null,
        failure: null,
        duration_ms: null,
        excerpt: null,
      })
      .execute()
    const endpoint = await transaction
      .selectFrom('webhooks')
      .select(['id', 'url', 'secret', 'previous_secret', 'previous_secret_expires_at', 'headers'])
      .where('id', '=', row.webhook_id)
      .executeTakeFirstOrThrow()
    const event = await transaction
      .selectFrom('events')
      .select('payload')
      .where('id', '=', row.event_id)
      .executeTakeFirst()
    return toClaimed(
      { ...row, payload: event?.payload ?? null, now },
      { endpoint, leaseOwner, isProbe: false },
    )
  })
}

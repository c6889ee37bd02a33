import { createDeliveryAgent } from '@stagecraft/webhooks'
import { sql } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { startLoop } from '../loop.ts'
import type { Store } from '../store/store.ts'
import { cancelWaiting } from './cancel-deliveries.ts'
import { createClaimer, toClaimed } from './claim/create-claimer.ts'
import { type DeliveriesOptions, type DeliveriesSettings, deliveriesSettings } from './deliveries-options.ts'
import { createOutcomeWriter, writeOutcomes } from './outcomes/write-outcomes.ts'
import { pruneDeliveries } from './prune-deliveries.ts'
import { type ClaimedDelivery, type SentDelivery, openSecrets, sendClaimed } from './send-claimed.ts'
import { randomUUID } from 'node:crypto'
import { workerName } from '../worker-name.ts'
import type { ClaimedRow } from './claim/take-deliveries.ts'
import { DELIVERY_RULES } from './rules/delivery-rules.ts'

const AT_ONCE = 500

/**
 * Makes deliveries with an expired lease due again: their process died or was frozen. The outcome of their attempt is
 * unknown.
 *
 * @returns The number of deliveries.
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

/** Sends claimed deliveries and writes the results. */
interface Sender {
  /** Returns the number of free slots. A slot is free again once the outcome of its delivery is written. */
  free(): number
  /** Sends all of them at the same time. */
  send(deliveries: readonly ClaimedDelivery[]): void
  /** Waits a while for deliveries under way, and returns the rest to the queue. */
  stop(): Promise<void>
}

/** The number of outcomes that are written at once. */
const GROUP = 64
/** The time that the store has to record returned deliveries. */
const LAST_WRITE_MS = 2000

/** @param onFree is called whenever a slot is free again. */
function createSender(context: ServiceContext, settings: DeliveriesSettings, onFree: () => void): Sender {
  const { concurrency, graceMs, lingerMs, metrics } = settings
  const { logger } = context
  const agent = createDeliveryAgent(context.settings.deliveryPolicy, { connectionsPerOrigin: concurrency })
  const open = openSecrets(context.cipher)
  const aborted = new AbortController()
  const write = (batch: readonly SentDelivery[]): Promise<void> => writeGroup(context, settings, batch)
  const outcomes = createOutcomeWriter({ logger, write, lingerMs, size: GROUP })
  const underWay = new Set<Promise<void>>()

  const sendOne = async (delivery: ClaimedDelivery): Promise<void> => {
    const { attemptMs: timeoutMs } = settings
    const { signal } = aborted
    await outcomes.add(await sendClaimed(delivery, { agent, open, timeoutMs, signal, logger }))
  }
  const count = (): void => metrics.record({ kind: 'in_flight', deliveries: underWay.size })
  return {
    free: () => concurrency - underWay.size,
    send(deliveries) {
      for (const delivery of deliveries) {
        const work = sendOne(delivery).finally(() => {
          underWay.delete(work)
          count()
          onFree()
        })
        underWay.add(work)
      }
      count()
    },
    async stop() {
      await within(graceMs, underWay)
      aborted.abort()
      await within(LAST_WRITE_MS, underWay)
      outcomes.giveUp()
      await agent.close()
      await Promise.all(underWay)
    },
  }
}

async function writeGroup(
  { logger, store }: ServiceContext,
  { metrics, random, rules }: DeliveriesSettings,
  batch: readonly SentDelivery[],
): Promise<void> {
  const { disabled, facts } = await writeOutcomes(store, batch, { random, rules })
  for (const fact of facts) metrics.record(fact)
  for (const id of disabled) {
    logger.warn({ webhook: id }, 'a webhook was disabled')
    // Runs without being awaited. What it leaves is found when old deliveries are deleted.
    void cancelWaiting(store, id).catch((error: unknown) =>
      logger.warn(
        { webhook: id, error: String(error) },
        'could not cancel the deliveries of a disabled webhook; it will be retried',
      ),
    )
  }
}

/** Waits until all have ended, up to a limit. */
async function within(milliseconds: number, all: ReadonlySet<Promise<void>>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([Promise.all(all), late])
  clearTimeout(timer)
}

export interface RunningDeliveries {
  /** Stops claiming, waits a while for deliveries under way, and returns the rest to the queue. */
  stop(): Promise<void>
}

/** The pause between two claims of a backlog, so that each claims many deliveries. */
const BACKLOG_PAUSE_MS = 4

/**
 * Sends due deliveries until stopped. Any number of processes may do so on one store.
 *
 * @throws {TypeError} For a lease that is not longer than an attempt.
 */
export function runDeliveries(context: ServiceContext, options: DeliveriesOptions = {}): RunningDeliveries {
  const { logger, store } = context
  const settings = deliveriesSettings(options)
  const { concurrency, metrics, pollMs, pruneMs, reclaimMs, rules } = settings
  const claimer = createClaimer(store, settings)
  const sender = createSender(context, settings, () => claiming.wake())
  /** Claims due deliveries while there are slots for them. */
  const claimDue = async (): Promise<number> => {
    const slots = sender.free()
    if (slots < concurrency / 4) return BACKLOG_PAUSE_MS
    const { deliveries, isCut } = await claimer.claim(slots)
    sender.send(deliveries)
    return isCut && deliveries.length > 0 ? BACKLOG_PAUSE_MS : pollMs
  }
  const findLost = async (): Promise<void> => {
    const deliveries = await reclaim(store)
    if (deliveries === 0) return
    metrics.record({ kind: 'reclaimed', deliveries })
    claiming.wake()
  }
  const prune = (): Promise<void> => pruneDeliveries(context, { lifetimeMs: rules.lifetimeMs })
  const claiming = startLoop(claimDue, { logger, everyMs: pollMs, message: 'sending deliveries failed' })
  const loops = [
    claiming,
    startLoop(findLost, { logger, everyMs: reclaimMs, message: 'reclaiming expired deliveries failed' }),
    startLoop(prune, { logger, everyMs: pruneMs, message: 'deleting old deliveries failed' }),
  ]
  const unlisten = context.wakeups.listen('deliveries', () => claiming.wake())
  return {
    async stop() {
      unlisten()
      await Promise.all(loops.map((loop) => loop.stop()))
      await sender.stop()
    },
  }
}

const ATTEMPT_MS = 15_000
const LEASE_MS = ATTEMPT_MS + 10_000

/**
 * Sends a waiting delivery once, whatever the state of its webhook, and writes the result. A delivery of trigger
 * `test` is not retried. Does nothing if the delivery does not wait.
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
    const { rows } = await sql<Omit<ClaimedRow, 'payload' | 'now'>>`
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

/** The number of deliveries that wait to be sent. */
export interface DeliveryDepth {
  /** The number of deliveries that are due now. */
  readonly due: number
  /** The number of deliveries that are due later. */
  readonly parked: number
  /** The time for which the oldest due one has waited; 0 without one. */
  readonly oldestDueMs: number
}

/** Counts the backlog using only indexes, although counting a million takes some time. */
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

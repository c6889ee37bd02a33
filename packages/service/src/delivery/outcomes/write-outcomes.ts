import type { DeliveryState } from '@stagecraft/spec/api'
import { type Transaction, sql } from 'kysely'
import type { AttemptRow, Database, WebhookRow } from '../../store/schema.ts'
import type { Engine, Store } from '../../store/store.ts'
import type { DeliveryFact } from '../deliveries-options.ts'
import { jsonRows } from '../json-rows.ts'
import type { DeliveryRules } from '../rules/delivery-rules.ts'
import { SECRET_REFUSED, type SentDelivery } from '../send-claimed.ts'
import { type HealthChange, updateHealth } from './update-health.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceLogger } from '../../context.ts'
import { createPause, createRetries, isOutage } from '../../loop.ts'

export interface FailedAttempt {
  /** The number of attempts so far. */
  readonly attempts: number
  readonly createdAt: number
  readonly now: number
  /** The pause that the receiver requested. */
  readonly retryAfterMs: number | undefined
}

export type NextAttempt =
  | { readonly state: 'pending'; readonly nextAt: number }
  | { readonly state: 'exhausted' | 'expired' }

/**
 * Returns the time of the next attempt after a failure: after its own pause, and not before the time that the receiver
 * requested.
 */
export function nextAttempt(
  { attempts, createdAt, now, retryAfterMs = 0 }: FailedAttempt,
  { random, rules }: { readonly rules: DeliveryRules; readonly random: () => number },
): NextAttempt {
  const pause = rules.pausesMs[attempts]
  if (pause === undefined) return { state: 'exhausted' }
  const jitter = Math.min(pause * rules.jitter, rules.longestJitterMs) * random()
  const nextAt = now + Math.max(Math.round(pause + jitter), retryAfterMs)
  return nextAt > createdAt + rules.lifetimeMs ? { state: 'expired' } : { state: 'pending', nextAt }
}

/** The columns to write after an attempt, to its own row and to that of its delivery. */
interface Outcome {
  readonly id: string
  readonly owner: string
  readonly state: DeliveryState
  /** Null when it stays. */
  readonly next_at: number | null
  readonly finished_at: number | null
  readonly status: number | null
  readonly failure: string | null
  readonly number: number
  readonly outcome: AttemptRow['outcome']
  readonly ended_at: number
  readonly duration_ms: number
  readonly excerpt: string | null
}

export interface DecideOptions {
  readonly rules: DeliveryRules
  readonly random: () => number
  readonly now: number
  /** Of its webhook; undefined when that was deleted. */
  readonly webhook: Pick<WebhookRow, 'state'> | undefined
}

type NextState = { readonly state: DeliveryState; readonly nextAt?: number }

/** Decides the state of a delivery after an attempt. */
export function decideOutcome(sent: SentDelivery, options: DecideOptions): Outcome {
  const { delivery, endedAt, result } = sent
  const { nextAt = null, state } = nextStateOf(sent, options)
  return {
    id: delivery.id,
    owner: delivery.leaseOwner,
    state,
    next_at: nextAt,
    finished_at: state === 'pending' ? null : options.now,
    status: result.status ?? null,
    failure: result.failure ?? null,
    number: delivery.attempt,
    outcome: result.failure === 'aborted' ? 'unknown' : result.outcome,
    ended_at: endedAt,
    duration_ms: result.durationMs,
    excerpt: result.excerpt ?? null,
  }
}

function nextStateOf(
  { delivery, result }: SentDelivery,
  { now, random, rules, webhook }: DecideOptions,
): NextState {
  if (result.outcome === 'delivered') return { state: 'delivered' }
  if (delivery.trigger === 'test') return { state: 'exhausted' }
  if (result.outcome === 'gone' || result.directive !== undefined) return { state: 'cancelled' }
  if (webhook === undefined || webhook.state === 'disabled') return { state: 'cancelled' }
  if (result.failure === 'aborted' || result.failure === SECRET_REFUSED)
    return { state: 'pending', nextAt: now }
  const { attempt: attempts, createdAt } = delivery
  return nextAttempt({ attempts, createdAt, now, retryAfterMs: result.retryAfterMs }, { random, rules })
}

interface OutcomeOptions {
  readonly rules: DeliveryRules
  /** At least 0 and less than 1. */
  readonly random: () => number
}

interface WrittenOutcomes {
  readonly facts: readonly DeliveryFact[]
  /** Webhooks that this write disabled; their waiting deliveries are cancelled. */
  readonly disabled: readonly string[]
}

/** Writes the results of attempts in one transaction, because a commit for each would dominate the time. */
export async function writeOutcomes(
  store: Store,
  batch: readonly SentDelivery[],
  { random, rules }: OutcomeOptions,
): Promise<WrittenOutcomes> {
  return await store.transaction(async (transaction) => {
    const now = await store.now(transaction)
    const { engine } = store
    const health = await updateHealth(transaction, batch, { engine, rules, now })
    const outcomes = batch.map((sent) => {
      const webhook = health.get(sent.delivery.endpoint.id)?.after
      return decideOutcome(sent, { rules, random, now, webhook })
    })
    await writeDeliveries(transaction, outcomes, engine)
    await writeAttempts(transaction, outcomes, engine)
    const changes = [...health.values()]
    const disabled = changes.filter(isDisabling).map(({ after }) => after.id)
    const facts = [
      ...batch.flatMap(factsOf),
      ...outcomes.flatMap(factOfEnd),
      ...changes.flatMap(factsOfHealth),
    ]
    return { facts, disabled }
  })
}

function isDisabling({ after, before }: HealthChange): boolean {
  return after.state === 'disabled' && before.state !== 'disabled'
}

function factsOf({ delivery, endedAt, result }: SentDelivery): readonly DeliveryFact[] {
  const code = String(result.status ?? result.failure)
  const isBlocked = result.failure === 'unsafe_url' || result.failure === 'unsafe_address'
  return [
    { kind: 'attempt', outcome: result.outcome, code },
    ...(isBlocked ? [{ kind: 'blocked' } as const] : []),
    ...(result.outcome === 'delivered'
      ? [{ kind: 'delivered', latencyMs: Math.max(0, endedAt - delivery.createdAt) } as const]
      : []),
  ]
}

function factOfEnd({ state }: Outcome): readonly DeliveryFact[] {
  return state === 'exhausted' ? [{ kind: 'exhausted' }] : []
}

function factsOfHealth(change: HealthChange): readonly DeliveryFact[] {
  const { after, before } = change
  return [
    ...(after.breaker_opens > before.breaker_opens ? [{ kind: 'breaker_opened' } as const] : []),
    ...(isDisabling(change) ? [{ kind: 'disabled' } as const] : []),
  ]
}

/** Leaves a delivery alone if its lease has passed to another process. The attempt itself is recorded in any case. */
async function writeDeliveries(
  transaction: Transaction<Database>,
  outcomes: readonly Outcome[],
  engine: Engine,
): Promise<void> {
  const given = jsonRows(engine, outcomes, {
    text: ['id', 'owner', 'state', 'failure'],
    bigint: ['next_at', 'finished_at', 'status'],
  })
  await sql`
    update deliveries set state = given.state, next_at = coalesce(given.next_at, deliveries.next_at),
      finished_at = given.finished_at, last_status = given.status, last_failure = given.failure,
      lease_owner = null, lease_until = null
    from ${given}
    where deliveries.id = given.id and deliveries.lease_owner = given.owner and deliveries.state = 'sending'`.execute(
    transaction,
  )
}

async function writeAttempts(
  transaction: Transaction<Database>,
  outcomes: readonly Outcome[],
  engine: Engine,
): Promise<void> {
  const given = jsonRows(engine, outcomes, {
    text: ['id', 'outcome', 'failure', 'excerpt'],
    bigint: ['number', 'ended_at', 'status', 'duration_ms'],
  })
  await sql`
    update attempts set outcome = given.outcome, finished_at = given.ended_at, status = given.status,
      failure = given.failure, duration_ms = given.duration_ms, excerpt = given.excerpt
    from ${given} where attempts.delivery_id = given.id and attempts.number = given.number`.execute(
    transaction,
  )
}

export interface OutcomeWriterOptions {
  readonly logger: ServiceLogger
  /** Writes the outcomes of attempts. */
  readonly write: (batch: readonly SentDelivery[]) => Promise<void>
  /** The time for which the first of a batch waits for others. */
  readonly lingerMs: number
  /** The most that are written at once. */
  readonly size: number
}

export interface OutcomeWriter {
  /**
   * Resolves when the outcome is written or given up. If given up, the lease expires, and the delivery is sent again.
   */
  add(sent: SentDelivery): Promise<void>
  /** Stops waiting for a store that does not respond. */
  giveUp(): void
}

interface Waiting {
  readonly sent: SentDelivery
  readonly done: () => void
}

/** Writes the outcomes of attempts in groups, one group at a time. Retries if the store does not respond. */
export function createOutcomeWriter({ lingerMs, logger, size, write }: OutcomeWriterOptions): OutcomeWriter {
  const retries = createRetries(logger, 'could not write the outcomes of deliveries')
  const linger = createPause()
  const waiting: Waiting[] = []
  const state = { isRunning: false, isGivenUp: false }

  const tryToWrite = async (batch: readonly SentDelivery[]): Promise<'written' | 'refused' | 'later'> => {
    try {
      await write(batch)
      retries.succeeded()
      return 'written'
    } catch (error) {
      const milliseconds = retries.failed(error)
      if (!isOutage(error)) return 'refused'
      await pause(milliseconds)
      return 'later'
    }
  }
  /**
   * Writes a batch; if that fails, writes each outcome alone, so that one faulty row does not block others.
   */
  const writeAll = async (batch: readonly SentDelivery[]): Promise<void> => {
    while (!state.isGivenUp) {
      const end = await tryToWrite(batch)
      if (end === 'written') return
      if (end === 'refused') break
    }
    if (batch.length > 1) for (const sent of batch) await writeAll([sent])
  }
  const run = async (): Promise<void> => {
    state.isRunning = true
    while (waiting.length > 0) {
      if (waiting.length < size) await linger.wait(lingerMs)
      const group = waiting.splice(0, size)
      await writeAll(group.map(({ sent }) => sent))
      for (const { done } of group) done()
    }
    state.isRunning = false
  }
  return {
    async add(sent) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ sent, done: resolve })
      if (waiting.length >= size) linger.cut()
      if (!state.isRunning) void run()
      await promise
    },
    giveUp() {
      state.isGivenUp = true
    },
  }
}

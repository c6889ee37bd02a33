import { sql, type Transaction } from 'kysely'
import type { Database } from '../../store/schema.ts'
import type { Engine, Store } from '../../store/store.ts'
import { jsonRows } from '../json-rows.ts'
import type { DeliveryFact } from '../deliveries-options.ts'
import type { DeliveryRules } from '../rules/delivery-rules.ts'
import type { SentDelivery } from '../send-claimed.ts'
import { decideOutcome, type Outcome } from './decide-outcome.ts'
import { type HealthChange, updateHealth } from './update-health.ts'

export interface OutcomeOptions {
  readonly rules: DeliveryRules
  /** At least 0 and less than 1. */
  readonly random: () => number
}

export interface WrittenOutcomes {
  readonly facts: readonly DeliveryFact[]
  /** Webhooks that this disabled: what waits for them is to be cancelled. */
  readonly disabled: readonly string[]
}

/** Writes how attempts ended, all in one transaction: a commit for each of them would be what takes longest. */
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

/** A delivery whose lease has passed to another process stays as that one has it; the attempt is ours in any case. */
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

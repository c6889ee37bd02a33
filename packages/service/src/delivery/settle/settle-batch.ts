import type { Database } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import type { DeliveryFact } from '../metrics.ts'
import type { DeliveryRules } from '../rules/delivery-rules.ts'
import type { SentDelivery } from '../send-claimed.ts'
import { decide, type Settlement } from './decide.ts'
import { type HealthChange, updateHealth } from './update-health.ts'
import { writeSettlements } from './write-settlements.ts'

export interface SettleOptions {
  readonly rules: DeliveryRules
  /** At least 0 and less than 1. */
  readonly random: () => number
}

export interface Settled {
  readonly facts: readonly DeliveryFact[]
  /** Webhooks that this disabled: what waits for them is to be cancelled. */
  readonly disabled: readonly string[]
}

/** Writes how attempts ended, all in one transaction: a commit for each of them would be what takes longest. */
export async function settleBatch(
  store: Store<Database>,
  batch: readonly SentDelivery[],
  { random, rules }: SettleOptions,
): Promise<Settled> {
  return await store.transaction(async (transaction) => {
    const now = await store.now(transaction)
    const { engine } = store
    const health = await updateHealth(transaction, batch, { engine, rules, now })
    const settlements = batch.map((sent) => {
      const webhook = health.get(sent.delivery.endpoint.id)?.after
      return decide(sent, { rules, random, now, webhook })
    })
    await writeSettlements(transaction, settlements, engine)
    const changes = [...health.values()]
    const disabled = changes.filter(isDisabling).map(({ after }) => after.id)
    const facts = [
      ...batch.flatMap(factsOf),
      ...settlements.flatMap(factOfEnd),
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

function factOfEnd({ state }: Settlement): readonly DeliveryFact[] {
  return state === 'exhausted' ? [{ kind: 'exhausted' }] : []
}

function factsOfHealth(change: HealthChange): readonly DeliveryFact[] {
  const { after, before } = change
  return [
    ...(after.breaker_opens > before.breaker_opens ? [{ kind: 'breaker_opened' } as const] : []),
    ...(isDisabling(change) ? [{ kind: 'disabled' } as const] : []),
  ]
}

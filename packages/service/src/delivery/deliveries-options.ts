import { workerName } from '../worker-name.ts'
import type { DeliveryResult } from '@stagecraft/webhooks'
import { DELIVERY_RULES, type DeliveryRules } from './rules/delivery-rules.ts'

export interface DeliveriesOptions {
  /** @default no metrics */
  readonly metrics?: DeliveryMetrics
  /** Names the process, for people who look into the table. @default host, process id and a random part */
  readonly worker?: string
  /** The most deliveries under way at once. @default 64 */
  readonly concurrency?: number
  /**
   * The interval in milliseconds for polling deliveries of other processes and retries.
   * @default 100
   */
  readonly pollMs?: number
  /** The time limit of an attempt. @default 15000 */
  readonly attemptMs?: number
  /** The lease of a delivery; longer than an attempt. @default attemptMs and 10000 */
  readonly leaseMs?: number
  /** The time that attempts under way have to finish after a stop. @default 5000 */
  readonly graceMs?: number
  /** The interval at which deliveries of dead workers are reclaimed. @default 1000 */
  readonly reclaimMs?: number
  /** The interval at which expired rows are deleted. @default an hour */
  readonly pruneMs?: number
  /** The time for which the first outcome of a group waits for others. @default 3 */
  readonly lingerMs?: number
  /** @default DELIVERY_RULES */
  readonly rules?: DeliveryRules
  /** Random source, in [0, 1). @default Math.random */
  readonly random?: () => number
}

export type DeliveriesSettings = Required<DeliveriesOptions>

/** @throws {TypeError} For a lease that is not longer than an attempt. */
export function deliveriesSettings(options: DeliveriesOptions): DeliveriesSettings {
  const attemptMs = options.attemptMs ?? 15_000
  const settings: DeliveriesSettings = {
    metrics: { record: () => {} },
    worker: workerName(),
    concurrency: 64,
    pollMs: 100,
    attemptMs,
    leaseMs: attemptMs + 10_000,
    graceMs: 5000,
    reclaimMs: 1000,
    pruneMs: 3_600_000,
    lingerMs: 3,
    rules: DELIVERY_RULES,
    random: Math.random,
    ...options,
  }
  if (settings.leaseMs > attemptMs) return settings
  throw new TypeError(
    `expected leaseMs to be longer than attemptMs, got ${settings.leaseMs} and ${attemptMs}`,
  )
}

/** The metrics interface. */
export type DeliveryFact =
  | {
      readonly kind: 'attempt'
      readonly outcome: DeliveryResult['outcome']
      /** The status of the response, or a word for the reason that there was none. */
      readonly code: string
    }
  | {
      readonly kind: 'delivered'
      /** From the event, or the request to send it again, to the response. */
      readonly latencyMs: number
    }
  /** Their process died or was too slow. */
  | { readonly kind: 'reclaimed'; readonly deliveries: number }
  /** The policy blocks the address of the URL. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'breaker_opened' }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'exhausted' }
  /** The number of deliveries that this process holds. */
  | { readonly kind: 'in_flight'; readonly deliveries: number }

/** The counters for sending deliveries. */
export interface DeliveryMetrics {
  record(fact: DeliveryFact): void
}

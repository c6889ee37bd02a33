import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { DeliveryMetrics } from './metrics.ts'
import { DELIVERY_RULES, type DeliveryRules } from './rules/delivery-rules.ts'

export interface DeliveriesOptions {
  /** @default nothing is counted */
  readonly metrics?: DeliveryMetrics
  /** Names the process, for people who look into the table. @default host, process id and a random part */
  readonly worker?: string
  /** How many deliveries are under way at once. @default 64 */
  readonly concurrency?: number
  /** How often is looked for deliveries of other processes, and for retries, in milliseconds. @default 100 */
  readonly pollMs?: number
  /** How long an attempt may take. @default 15000 */
  readonly attemptMs?: number
  /** How long a delivery is held; longer than an attempt. @default attemptMs and 10000 */
  readonly leaseMs?: number
  /** How long attempts that are under way may take when it is stopped. @default 5000 */
  readonly graceMs?: number
  /** How often is looked for deliveries whose process ended. @default 1000 */
  readonly reclaimMs?: number
  /** How often what is old is deleted. @default an hour */
  readonly pruneMs?: number
  /** How long the first end of a group waits for others. @default 3 */
  readonly lingerMs?: number
  /** @default DELIVERY_RULES */
  readonly rules?: DeliveryRules
  /** Where chance comes from, at least 0 and less than 1. @default Math.random */
  readonly random?: () => number
}

export type DeliveriesSettings = Required<DeliveriesOptions>

/** @throws {TypeError} For a lease that is not longer than an attempt. */
export function deliveriesSettings(options: DeliveriesOptions): DeliveriesSettings {
  const attemptMs = options.attemptMs ?? 15_000
  const settings: DeliveriesSettings = {
    metrics: { record: () => {} },
    worker: `${hostname().slice(0, 40)}:${process.pid}:${randomUUID().slice(0, 8)}`,
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

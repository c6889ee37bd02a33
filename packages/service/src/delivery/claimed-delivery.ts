import type { DeliveryTrigger } from '@stagecraft/spec/api'
import type { WebhookRow } from '../store/schema.ts'

/** The target of deliveries and the secrets that sign them: columns of the webhook, secrets still sealed. */
export type Endpoint = Pick<
  WebhookRow,
  'id' | 'url' | 'secret' | 'previous_secret' | 'previous_secret_expires_at' | 'headers'
>

/** A delivery that this process is to send now, and nobody else. */
export interface ClaimedDelivery {
  readonly id: string
  readonly eventId: string
  readonly endpoint: Endpoint
  readonly trigger: DeliveryTrigger
  /** The number of this attempt, from 1. */
  readonly attempt: number
  readonly createdAt: number
  readonly lastFailure: string | null
  /** The bytes to sign and to send; null when the event is no longer kept. */
  readonly payload: string | null
  /** The token of the claim: without it nothing is written. */
  readonly leaseOwner: string
  /** True for the one delivery that an open breaker lets through. */
  readonly isProbe: boolean
  readonly clock: DatabaseClock
}

/** The clock of the database, read at the claim and run on by the time that has passed since. */
export type DatabaseClock = () => number

export function runOn(readAt: number): DatabaseClock {
  const start = performance.now()
  return () => readAt + (performance.now() - start)
}

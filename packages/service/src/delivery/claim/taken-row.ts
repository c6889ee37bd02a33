import type { DeliveryTrigger } from '@stagecraft/spec/api'

export interface TakeOptions {
  /** The number for each webhook. */
  readonly shares: ReadonlyMap<string, number>
  readonly leaseMs: number
  /** The token of this claim. */
  readonly leaseOwner: string
}

/** A delivery as it was taken, with what it delivers. */
export interface TakenRow {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly trigger: DeliveryTrigger
  readonly attempts: number
  readonly created_at: number
  readonly last_failure: string | null
  readonly payload: string | null
  /** The time at which it was taken. */
  readonly now: number
}

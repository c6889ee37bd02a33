import type { DeliveryResult } from '@stagecraft/webhooks'

/** Something to count. */
export type DeliveryFact =
  | {
      readonly kind: 'attempt'
      readonly outcome: DeliveryResult['outcome']
      /** The status of the answer, or the word for why there was none. */
      readonly code: string
    }
  | {
      readonly kind: 'delivered'
      /** From the event, or from whoever asked for it again, to the answer. */
      readonly latencyMs: number
    }
  /** Their process ended, or was too slow. */
  | { readonly kind: 'reclaimed'; readonly deliveries: number }
  /** The policy forbids where the URL leads. */
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

import { DELIVERY_RULES } from '../delivery/rules/delivery-rules.ts'
import type { WebhookRow } from '../store/schema.ts'

/** The columns of a webhook about which nothing bad is known. */
export const NEW_HEALTH = {
  notice: null,
  consecutive_failures: 0,
  failing_since: null,
  breaker_until: null,
  breaker_opens: 0,
  window_size: DELIVERY_RULES.breaker.window,
} as const satisfies Partial<WebhookRow>

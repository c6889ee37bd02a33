import type { WebhookRow } from '../store/schema.ts'

/** How many deliveries of one webhook may be under way at once. */
export const WIDEST_WINDOW = 10

/** The columns of a webhook about which nothing bad is known. */
export const NEW_HEALTH = {
  notice: null,
  consecutive_failures: 0,
  failing_since: null,
  breaker_until: null,
  breaker_opens: 0,
  window_size: WIDEST_WINDOW,
} as const satisfies Partial<WebhookRow>

import type { EventKind, WebhookResource } from '@stagecraft/spec/api'
import { DELIVERY_RULES } from '../delivery/rules/delivery-rules.ts'
import { timeMember, toIso } from '../resources/job-members.ts'
import type { WebhookRow } from '../store/schema.ts'

/** Returns the public fields of a webhook, without secrets. */
export function toWebhook(row: WebhookRow): WebhookResource {
  return {
    id: row.id,
    url: row.url,
    events: eventsOf(row),
    ...(row.description !== null && { description: row.description }),
    headerNames: JSON.parse(row.header_names) as string[],
    state: row.state,
    ...(row.notice !== null && { notice: row.notice }),
    consecutiveFailures: row.consecutive_failures,
    ...timeMember('failingSince', row.failing_since),
    ...timeMember('lastSuccessAt', row.last_success_at),
    ...timeMember('waitsUntil', row.state === 'active' ? row.breaker_until : null),
    ...timeMember('previousSecretExpiresAt', row.previous_secret_expires_at),
    version: row.version,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  }
}

export function eventsOf({ events }: Pick<WebhookRow, 'events'>): EventKind[] {
  return JSON.parse(events) as EventKind[]
}

/** The columns of a healthy webhook. */
export const NEW_HEALTH = {
  notice: null,
  consecutive_failures: 0,
  failing_since: null,
  breaker_until: null,
  breaker_opens: 0,
  window_size: DELIVERY_RULES.breaker.window,
} as const satisfies Partial<WebhookRow>

import type { DeliveryAttempt, DeliveryResource } from '@stagecraft/spec/api'
import { timeMember, toIso } from '../resources/times.ts'
import type { AttemptRow, DeliveryRow } from '../store/schema.ts'

export function toDelivery(row: DeliveryRow): DeliveryResource {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    event: row.event,
    state: row.state,
    trigger: row.trigger,
    attempts: row.attempts,
    ...timeMember('nextAttemptAt', row.state === 'pending' ? row.next_at : null),
    ...(row.last_status !== null && { lastStatus: row.last_status }),
    ...(row.last_failure !== null && { lastFailure: row.last_failure }),
    createdAt: toIso(row.created_at),
    ...timeMember('finishedAt', row.finished_at),
  }
}

export function toAttempt(row: AttemptRow): DeliveryAttempt {
  return {
    number: row.number,
    startedAt: toIso(row.started_at),
    ...timeMember('finishedAt', row.finished_at),
    outcome: row.outcome,
    ...(row.status !== null && { status: row.status }),
    ...(row.failure !== null && { failure: row.failure }),
    ...(row.duration_ms !== null && { durationMs: row.duration_ms }),
    ...(row.excerpt !== null && { excerpt: row.excerpt }),
  }
}

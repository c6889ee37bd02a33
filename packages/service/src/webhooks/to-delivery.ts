import type { DeliveryAttempt, DeliveryResource, DeliveryTrigger, EventKind } from '@stagecraft/spec/api'
import { timeMember, toIso } from '../resources/job-members.ts'
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

interface NewDelivery {
  readonly id: string
  readonly projectId: string
  readonly webhookId: string
  readonly eventId: string
  readonly event: EventKind
  readonly trigger: DeliveryTrigger
  /** By the clock of the database. */
  readonly now: number
  /** The earliest time to send it. @default now */
  readonly dueAt?: number
}

/** Returns the row of a delivery that waits for its first attempt. */
export function newDelivery({
  dueAt,
  event,
  eventId,
  id,
  now,
  projectId,
  trigger,
  webhookId,
}: NewDelivery): DeliveryRow {
  return {
    id,
    project_id: projectId,
    webhook_id: webhookId,
    event_id: eventId,
    event,
    state: 'pending',
    trigger,
    attempts: 0,
    next_at: dueAt ?? now,
    lease_owner: null,
    lease_until: null,
    last_status: null,
    last_failure: null,
    created_at: now,
    finished_at: null,
  }
}

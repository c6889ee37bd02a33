import type { DeliveryTrigger, EventKind } from '@stagecraft/spec/api'
import type { DeliveryRow } from '../store/schema.ts'

export interface NewDelivery {
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

/** The row of a delivery that waits for its first attempt. */
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

// Made from the schemas of this package by test/types/print-types.ts: change those and run
// `UPDATE_GOLDEN=1 npm test -- test/types`. The types are written out because the declarations of inferred
// types lose their comments, which editors show.

import type { ChangeKind } from './changes.ts'
import type { DeliveryState } from './deliveries.ts'
import type { EventKind } from './events.ts'

/** The activity of a project, hour by hour. */
export interface ActivityResource {
  /** The number of units. */
  units: number
  /** The hours, oldest first. The last one is still in progress. */
  hours: {
    /** The beginning of the hour, ISO 8601 in UTC. */
    at: string
    /** Units that were created in this hour and still exist. */
    unitsCreated: number
    /** Generations of units that were requested in this hour and completed. */
    generationsCompleted: number
    /** Generations of units that were requested in this hour and failed. */
    generationsFailed: number
    /** Scans that were requested in this hour and completed. */
    scansCompleted: number
    /** Scans that were requested in this hour and failed. */
    scansFailed: number
    /** Deliveries that were created in this hour and arrived; for keys with the scope `webhooks`. */
    deliveriesDelivered?: number | undefined
    /** Deliveries that were created in this hour and failed; for keys with the scope `webhooks`. */
    deliveriesFailed?: number | undefined
  }[]
}

/** A message of the stream of a project. */
export interface ChangeMessage {
  /**
   * `open` comes first. `reset`: earlier changes are no longer known, so read everything again. `change`:
   * resources changed.
   */
  event: 'open' | 'change' | 'reset'
  /** The kind of the changed resources; only in a `change`. */
  kind?: ChangeKind | undefined
  /** Ids of the resources that changed; at most 100. */
  ids?: string[] | undefined
  /** Present if more resources of this kind changed. */
  more?: true | undefined
  /** The types of change. */
  changes?: ('created' | 'updated' | 'deleted')[] | undefined
  /** The current states of jobs, deliveries and webhooks, by id. */
  states?: Record<string, string> | undefined
}

/** An event, as webhooks receive it. */
export interface EventRecord {
  /** The id of an event. */
  id: string
  /** The kind of event. */
  event: EventKind
  /** ISO 8601 in UTC. */
  created_at: string
  /** The id of a project. */
  project_id: string
  /** The data of the event, by its kind: see the event types. */
  data: Record<string, unknown>
}

/** A kind of event, with its schema. */
export interface EventType {
  /** The kind of event. */
  event: EventKind
  /** The meaning of the event. */
  description: string
  /** JSON Schema of the whole body. */
  schema: Record<string, unknown>
  /** An event of this kind. */
  example: EventRecord
}

/** An address that receives events. */
export interface WebhookResource {
  /** The id of a webhook. */
  id: string
  /** The HTTPS address that receives the events. */
  url: string
  /** Kinds of events, each once. */
  events: EventKind[]
  /** A note for people. */
  description?: string | undefined
  /** The names of the headers that are sent with every delivery. */
  headerNames: string[]
  /** `paused` by a user; `disabled` by the service, as `notice` explains. */
  state: 'active' | 'paused' | 'disabled'
  /** The reason why it is disabled or its deliveries fail. */
  notice?: string | undefined
  /** Failed attempts since the last success. */
  consecutiveFailures: number
  /** ISO 8601 in UTC. */
  failingSince?: string | undefined
  /** ISO 8601 in UTC. */
  lastSuccessAt?: string | undefined
  /**
   * Deliveries wait, because many attempts failed in a row. After this time one is tried; if it arrives, the
   * others follow.
   */
  waitsUntil?: string | undefined
  /** The time until which the previous secret also signs. */
  previousSecretExpiresAt?: string | undefined
  /** Counts changes; part of the `ETag` of the resource. */
  version: number
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  updatedAt: string
}

/** One event on its way to one webhook. */
export interface DeliveryResource {
  /** The id of a delivery. */
  id: string
  /** The id of a webhook. */
  webhookId: string
  /** The id of an event. */
  eventId: string
  /** The kind of event. */
  event: EventKind
  /** `pending` and `sending` deliveries change automatically; all other states are final. */
  state: DeliveryState
  /** The cause of the delivery. */
  trigger: 'event' | 'manual' | 'test' | 'replay'
  /** The number of attempts so far. */
  attempts: number
  /** ISO 8601 in UTC. */
  nextAttemptAt?: string | undefined
  /** The HTTP status of the last answer. */
  lastStatus?: number | undefined
  /** The reason why the last attempt failed. */
  lastFailure?: string | undefined
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  finishedAt?: string | undefined
}

/** A delivery with all its attempts. */
export interface DeliveryDetail {
  /** The id of a delivery. */
  id: string
  /** The id of a webhook. */
  webhookId: string
  /** The id of an event. */
  eventId: string
  /** The kind of event. */
  event: EventKind
  /** `pending` and `sending` deliveries change automatically; all other states are final. */
  state: DeliveryState
  /** The cause of the delivery. */
  trigger: 'event' | 'manual' | 'test' | 'replay'
  /** The number of attempts so far. */
  attempts: number
  /** ISO 8601 in UTC. */
  nextAttemptAt?: string | undefined
  /** The HTTP status of the last answer. */
  lastStatus?: number | undefined
  /** The reason why the last attempt failed. */
  lastFailure?: string | undefined
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  finishedAt?: string | undefined
  /** Its attempts, oldest first. */
  attemptLog: DeliveryAttempt[]
}

/** The request of a delivery. */
export interface DeliveryRequest {
  /** The method. */
  method: 'POST'
  /** The address of the webhook. */
  url: string
  /** The headers by name, in lower case. The webhook's own headers have the value `(hidden)`. */
  headers: Record<string, string>
  /** The text that is sent and signed. */
  body: string
}

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** 1 for the first attempt. */
  number: number
  /** ISO 8601 in UTC. */
  startedAt: string
  /** ISO 8601 in UTC. */
  finishedAt?: string | undefined
  /** `unknown`: in progress, or its process died. */
  outcome: 'unknown' | 'delivered' | 'failed' | 'gone'
  /** The HTTP status of the answer. */
  status?: number | undefined
  /** The reason why it failed. */
  failure?: string | undefined
  /** The duration in milliseconds. */
  durationMs?: number | undefined
  /** The beginning of the receiver's answer. */
  excerpt?: string | undefined
}

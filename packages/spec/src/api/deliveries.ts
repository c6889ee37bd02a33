import { z } from '../zod.ts'
import { EVENT_KIND_NAMES } from './events.ts'
import { idField, listOf, pageQuery, searchField, timeField } from './fields.ts'
import type { Operation } from './operation.ts'

export const eventsField = z
  .array(z.enum(EVENT_KIND_NAMES))
  .min(1)
  .max(EVENT_KIND_NAMES.length)
  .describe('Kinds of events, each once.')

export const DELIVERY_STATES = [
  'pending',
  'sending',
  'delivered',
  'exhausted',
  'cancelled',
  'expired',
] as const
const DELIVERY_TRIGGERS = ['event', 'manual', 'test', 'replay'] as const

export const deliverySchema = z.object({
  id: idField('dlv'),
  webhookId: idField('whk'),
  eventId: idField('evt'),
  event: z.enum(EVENT_KIND_NAMES).describe('The kind of event.'),
  state: z
    .enum(DELIVERY_STATES)
    .describe('`pending` and `sending` deliveries change automatically; all other states are final.'),
  trigger: z.enum(DELIVERY_TRIGGERS).describe('The cause of the delivery.'),
  attempts: z.int().nonnegative().describe('The number of attempts so far.'),
  nextAttemptAt: timeField.optional(),
  lastStatus: z.int().optional().describe('The HTTP status of the last answer.'),
  lastFailure: z.string().optional().describe('The reason why the last attempt failed.'),
  createdAt: timeField,
  finishedAt: timeField.optional(),
})

export const attemptSchema = z.object({
  number: z.int().positive().describe('1 for the first attempt.'),
  startedAt: timeField,
  finishedAt: timeField.optional(),
  outcome: z
    .enum(['unknown', 'delivered', 'failed', 'gone'])
    .describe('`unknown`: in progress, or its process died.'),
  status: z.int().optional().describe('The HTTP status of the answer.'),
  failure: z.string().optional().describe('The reason why it failed.'),
  durationMs: z.int().nonnegative().optional().describe('The duration in milliseconds.'),
  excerpt: z.string().optional().describe("The beginning of the receiver's answer."),
})

export const deliveryDetailSchema = deliverySchema.extend({
  attemptLog: z.array(attemptSchema).describe('Its attempts, oldest first.'),
})

/** The request of a delivery. */
export const deliveryRequestSchema = z.object({
  method: z.literal('POST').describe('The method.'),
  url: z.string().describe('The address of the webhook.'),
  headers: z
    .record(z.string(), z.string())
    .describe("The headers by name, in lower case. The webhook's own headers have the value `(hidden)`."),
  body: z.string().describe('The text that is sent and signed.'),
})

const statusField = z.int().min(100).max(599).optional().describe('The HTTP status of the last answer.')

const deliveryQuery = pageQuery.extend({
  state: z.enum(DELIVERY_STATES).optional().describe('Only deliveries in this state.'),
  event: z.enum(EVENT_KIND_NAMES).optional().describe('Only deliveries of events of this kind.'),
  since: timeField.optional().describe('Deliveries that were created at or after this time.'),
  until: timeField.optional().describe('Deliveries that were created before this time.'),
  status: z.coerce
    .number()
    .pipe(z.int().min(100).max(599))
    .optional()
    .describe('Only deliveries whose last answer had this HTTP status.'),
  search: searchField('the reason of the last failure'),
})

const allDeliveriesQuery = deliveryQuery.extend({
  webhookId: idField('whk').optional().describe('Only deliveries of this webhook.'),
  eventId: idField('evt').optional().describe('Only deliveries of this event.'),
})

/** The deliveries that can be repeated: those that have ended. */
const ENDED_STATES = ['delivered', 'exhausted', 'cancelled', 'expired'] as const

const redeliverBody = z.strictObject({
  webhookId: idField('whk')
    .optional()
    .describe('Only deliveries of this webhook. Default: all webhooks that are not disabled.'),
  states: z
    .array(z.enum(ENDED_STATES))
    .min(1)
    .max(ENDED_STATES.length)
    .optional()
    .describe('Deliveries in these states. Default: all states except `delivered`.'),
  events: eventsField.optional().describe('Only deliveries of events of these kinds.'),
  since: timeField.optional().describe('Deliveries that were created at or after this time.'),
  until: timeField.optional().describe('Deliveries that were created before this time.'),
  status: statusField,
  search: searchField('the reason of the last failure'),
  dryRun: z.boolean().optional().describe('Only count, without sending. Default false.'),
})

const redeliveredSchema = z.object({
  deliveries: z
    .int()
    .nonnegative()
    .describe('The number of new deliveries; in a dry run, the number that would be created.'),
  remaining: z
    .int()
    .nonnegative()
    .describe(
      'The number of further deliveries that the filter selects; at most 10,000 are created at once.',
    ),
})

export const DELIVERY_OPERATIONS = {
  listDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/{webhookId}/deliveries',
    scope: 'webhooks',
    summary: 'List the deliveries of a webhook',
    query: deliveryQuery,
    data: listOf(deliverySchema),
    isList: true,
  },
  listAllDeliveries: {
    method: 'GET',
    path: '/v1/webhook-deliveries',
    scope: 'webhooks',
    summary: 'List the deliveries of all webhooks of the project of the key',
    query: allDeliveriesQuery,
    data: listOf(deliverySchema),
    isList: true,
  },
  redeliverMany: {
    method: 'POST',
    path: '/v1/webhook-deliveries/redeliver',
    scope: 'webhooks',
    summary: 'Deliver the events of many deliveries again',
    description:
      'Selects deliveries that have ended, and only the newest for each event and webhook. Events that have been delivered again since, or are pending, are left out, so the same call can be made twice. Test deliveries, events that are no longer kept, and disabled webhooks are left out too. With `dryRun` it only counts.',
    body: redeliverBody,
    isBodyOptional: true,
    examples: { count: { dryRun: true }, day: { since: '2026-11-20T00:00:00Z', states: ['exhausted'] } },
    data: redeliveredSchema,
    status: 202,
    isCreation: true,
  },
  getDelivery: {
    method: 'GET',
    path: '/v1/webhook-deliveries/{deliveryId}',
    scope: 'webhooks',
    summary: 'Get a delivery with all its attempts',
    data: deliveryDetailSchema,
  },
  getDeliveryRequest: {
    method: 'GET',
    path: '/v1/webhook-deliveries/{deliveryId}/request',
    scope: 'webhooks',
    summary: 'Get the request of a delivery, as it would be sent now',
    description:
      'Use it to send a delivery by hand, or to check a signature. It is signed with the time of the call and the current secrets; the requests of attempts are not kept. NOT_FOUND if the event is no longer kept.',
    data: deliveryRequestSchema,
  },
  redeliver: {
    method: 'POST',
    path: '/v1/webhook-deliveries/{deliveryId}/redeliver',
    scope: 'webhooks',
    summary: 'Deliver an event again',
    data: deliverySchema,
    status: 202,
    isCreation: true,
    location: '/v1/webhook-deliveries/{id}',
  },
} as const satisfies Record<string, Operation>

export type DeliveryState = (typeof DELIVERY_STATES)[number]
export type DeliveryTrigger = (typeof DELIVERY_TRIGGERS)[number]

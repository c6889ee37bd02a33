import { z } from '../zod.ts'
import { DELIVERY_STATES, deliveryDetailSchema, eventsField } from './deliveries.ts'
import { EVENT_KIND_NAMES } from './events.ts'
import { deletedSchema, idField, listOf, pageQuery, recordFields, searchField, timeField } from './fields.ts'
import type { Operation } from './operation.ts'

const WEBHOOK_STATES = ['active', 'paused', 'disabled'] as const

const secretField = z
  .string()
  .min(1)
  .max(1024)
  .describe('The secret that signs deliveries: `whsec_` and base64, or any text. Stored encrypted.')

const headersField = z
  .record(z.string().max(100), z.string().max(4096))
  .refine((headers) => Object.keys(headers).length <= 20, 'expected at most 20 headers')

const inputFields = {
  url: z.string().min(1).max(2048).describe('The HTTPS address that receives the events.'),
  events: eventsField,
  description: z.string().max(500).optional().describe('A note for people.'),
  headers: headersField.optional().describe('Sent with every delivery. Stored encrypted, never returned.'),
}

export const webhookSchema = z.object({
  id: idField('whk'),
  url: z.string().describe('The HTTPS address that receives the events.'),
  events: eventsField,
  description: z.string().optional().describe('A note for people.'),
  headerNames: z.array(z.string()).describe('The names of the headers that are sent with every delivery.'),
  state: z
    .enum(WEBHOOK_STATES)
    .describe('`paused` by a user; `disabled` by the service, as `notice` explains.'),
  notice: z.string().optional().describe('The reason why it is disabled or its deliveries fail.'),
  consecutiveFailures: z.int().nonnegative().describe('Failed attempts since the last success.'),
  failingSince: timeField.optional(),
  lastSuccessAt: timeField.optional(),
  waitsUntil: timeField
    .optional()
    .describe(
      'Deliveries wait, because many attempts failed in a row. After this time one is tried; if it arrives, the others follow.',
    ),
  previousSecretExpiresAt: timeField
    .optional()
    .describe('The time until which the previous secret also signs.'),
  ...recordFields,
})

/** Contains the generated secret, shown only once. */
const rotatedSchema = webhookSchema.extend({
  secret: z.string().optional().describe('The new secret, shown only once.'),
})

const webhookQuery = pageQuery.extend({
  state: z.enum(WEBHOOK_STATES).optional().describe('Only webhooks in this state.'),
  event: z.enum(EVENT_KIND_NAMES).optional().describe('Only webhooks that receive events of this kind.'),
  search: searchField('their address or description'),
})

const replayBody = z.strictObject({
  since: timeField,
  until: timeField.optional().describe('Default: now.'),
  events: eventsField.optional().describe('Default: those of the webhook.'),
  only: z.enum(['all', 'missed']).optional().describe('`missed`: events that never arrived. Default `all`.'),
  dryRun: z.boolean().optional().describe('Only count, without sending. Default false.'),
})

const rotateBody = z.strictObject({
  secret: secretField.optional().describe('The new secret. Default: a generated one, shown in the answer.'),
  overlapSeconds: z
    .int()
    .min(0)
    .max(604_800)
    .optional()
    .describe('The time in seconds for which the previous secret also signs. Default 86400.'),
})

const recentFields = {
  ended: z.int().nonnegative().describe('Deliveries that arrived, failed permanently or expired.'),
  delivered: z.int().nonnegative().describe('Deliveries that arrived.'),
  p95Ms: z
    .int()
    .nonnegative()
    .optional()
    .describe('95 % of the last attempts took at most this time, in milliseconds.'),
}
const RECENT = 'Covers the last 7 days, and at most the newest 1,000 deliveries.'

export const WEBHOOK_OPERATIONS = {
  createWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    scope: 'webhooks',
    summary: 'Create a webhook subscription',
    body: z.strictObject({ ...inputFields, secret: secretField }),
    examples: {
      short: {
        url: 'https://example.com/webhooks',
        events: ['generation.completed', 'generation.failed'],
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      },
    },
    data: webhookSchema,
    status: 201,
    isCreation: true,
    hasVersion: true,
    location: '/v1/webhooks/{id}',
  },
  listWebhooks: {
    method: 'GET',
    path: '/v1/webhooks',
    scope: 'webhooks',
    summary: 'List the webhooks of the project of the key',
    query: webhookQuery,
    data: listOf(webhookSchema),
    isList: true,
  },
  getWebhook: {
    method: 'GET',
    path: '/v1/webhooks/{webhookId}',
    scope: 'webhooks',
    summary: 'Get a webhook',
    data: webhookSchema,
    hasVersion: true,
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/v1/webhooks/{webhookId}',
    scope: 'webhooks',
    summary: 'Change a webhook',
    body: z.strictObject(inputFields).partial(),
    examples: { events: { events: ['push.completed'] } },
    data: webhookSchema,
    hasVersion: true,
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/webhooks/{webhookId}',
    scope: 'webhooks',
    summary: 'Delete a webhook and its deliveries',
    data: deletedSchema,
    hasVersion: true,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/rotate-secret',
    scope: 'webhooks',
    summary: 'Rotate the secret of a webhook; both secrets sign for a time',
    body: rotateBody,
    isBodyOptional: true,
    examples: {
      short: {},
      whole: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', overlapSeconds: 3600 },
    },
    data: rotatedSchema,
    hasVersion: true,
  },
  testWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/test',
    scope: 'webhooks',
    summary: 'Send an example event now and return the result',
    body: z.strictObject({
      event: z
        .enum(EVENT_KIND_NAMES)
        .optional()
        .describe('The kind of event to send. Default: the first one of the webhook.'),
    }),
    isBodyOptional: true,
    examples: { short: {}, whole: { event: 'push.completed' } },
    data: deliveryDetailSchema,
  },
  pauseWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/pause',
    scope: 'webhooks',
    summary: 'Pause a webhook; its deliveries wait until it is enabled',
    data: webhookSchema,
    hasVersion: true,
  },
  enableWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/enable',
    scope: 'webhooks',
    summary: 'Enable a webhook after a pause or after it was disabled',
    data: webhookSchema,
    hasVersion: true,
  },
  replayEvents: {
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/replay',
    scope: 'webhooks',
    summary: 'Deliver the events of a period again',
    body: replayBody,
    examples: { day: { since: '2026-11-20T00:00:00Z', until: '2026-11-21T00:00:00Z', only: 'missed' } },
    data: z.object({ deliveries: z.int().nonnegative().describe('The number of new deliveries.') }),
    status: 202,
    isCreation: true,
  },
  getWebhookStats: {
    method: 'GET',
    path: '/v1/webhooks/{webhookId}/stats',
    scope: 'webhooks',
    summary: 'Count the deliveries of a webhook by state, and summarize those of the last 7 days',
    data: z.object({
      deliveries: z
        .record(z.enum(DELIVERY_STATES), z.int().nonnegative())
        .describe('The number of deliveries in each state.'),
      oldestPendingAt: timeField.optional(),
      recent: z.object(recentFields).describe(RECENT),
    }),
  },
  listWebhookStats: {
    method: 'GET',
    path: '/v1/webhook-stats',
    scope: 'webhooks',
    summary: 'Summarize the deliveries of the last 7 days for every webhook',
    data: z.object({
      items: z
        .array(z.object({ webhookId: idField('whk'), ...recentFields }))
        .describe(`All webhooks of the project. ${RECENT}`),
    }),
  },
} as const satisfies Record<string, Operation>

export type WebhookState = (typeof WEBHOOK_STATES)[number]

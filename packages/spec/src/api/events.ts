import { z } from '../zod.ts'
import { ERROR_CODES } from '../errors.ts'
import { MODEL_TYPES } from '../names.ts'
import { generationOptionsSchema } from '../options.ts'
import { idField, listOf, pageQuery, searchField, timeField } from './fields.ts'
import { fileSchema } from './generations.ts'
import type { Operation } from './operation.ts'

/** The eight event types of the service contract, with their meaning. */
export const EVENT_KINDS = {
  'unit.created': 'A new unit was created.',
  'unit.updated': "A unit's configuration was updated.",
  'unit.deleted': 'A unit was deleted.',
  'generation.started': 'Code generation began.',
  'generation.completed': 'Code generation finished successfully.',
  'generation.failed': 'Code generation encountered an error.',
  'scan.completed': 'A schema scan finished.',
  'push.completed': 'Code was pushed to a Git repository.',
} as const

export type EventKind = keyof typeof EVENT_KINDS

export const EVENT_KIND_NAMES = Object.keys(EVENT_KINDS) as [EventKind, ...EventKind[]]

const unitFields = { unit_id: idField('unit'), unit_name: z.string(), unit_type: z.enum(MODEL_TYPES) }
const unitSettings = { ...unitFields, source: z.string(), options: generationOptionsSchema }
const count = z.int().nonnegative()

/** The `data` of each event type. */
export const EVENT_DATA = {
  'unit.created': z.strictObject(unitSettings),
  'unit.updated': z.strictObject(unitSettings),
  'unit.deleted': z.strictObject(unitSettings),
  'generation.started': z.strictObject({ ...unitFields, generation_id: idField('gen') }),
  'generation.completed': z.strictObject({
    ...unitFields,
    files_generated: z.array(fileSchema),
    duration_ms: count,
  }),
  'generation.failed': z.strictObject({
    ...unitFields,
    generation_id: idField('gen'),
    error: z.strictObject({ code: z.enum(ERROR_CODES), message: z.string() }),
    duration_ms: count,
  }),
  'scan.completed': z.strictObject({
    scan_id: idField('scan'),
    connection_id: idField('conn'),
    tables: count,
    columns: count,
    tables_added: count,
    tables_removed: count,
    columns_added: count,
    columns_removed: count,
    columns_retyped: count,
    duration_ms: count,
  }),
  'push.completed': z.strictObject({
    push_id: idField('push'),
    branch: z.string(),
    commit: z.string(),
    files_pushed: z.array(fileSchema),
    duration_ms: count,
  }),
} as const satisfies Record<EventKind, z.ZodObject>

export type EventData = { readonly [Kind in EventKind]: z.output<(typeof EVENT_DATA)[Kind]> }

/** The body of a delivery, and an item of `GET /v1/events`. The members are sent in this order. */
export const eventSchema = z.object({
  id: idField('evt'),
  event: z.enum(EVENT_KIND_NAMES).describe('The kind of event.'),
  created_at: timeField,
  project_id: idField('proj'),
  data: z
    .record(z.string(), z.unknown())
    .describe('The data of the event, by its kind: see the event types.'),
})

export const eventTypeSchema = z.object({
  event: z.enum(EVENT_KIND_NAMES).describe('The kind of event.'),
  description: z.string().describe('The meaning of the event.'),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the whole body.'),
  example: eventSchema.describe('An event of this kind.'),
})

const eventQuery = pageQuery.extend({
  event: z.enum(EVENT_KIND_NAMES).optional().describe('Only events of this kind.'),
  since: timeField.optional().describe('Events at or after this time.'),
  until: timeField.optional().describe('Events before this time.'),
  search: searchField('their body'),
})

export const EVENT_OPERATIONS = {
  listEvents: {
    method: 'GET',
    path: '/v1/events',
    scope: 'read',
    summary: 'List the events of the project of the key',
    query: eventQuery,
    data: listOf(eventSchema),
    isList: true,
  },
  getEvent: {
    method: 'GET',
    path: '/v1/events/{eventId}',
    scope: 'read',
    summary: 'Get an event',
    data: eventSchema,
  },
  listEventTypes: {
    method: 'GET',
    path: '/v1/webhook-event-types',
    scope: 'webhooks',
    summary: 'List the kinds of event with schema and example',
    data: z.object({ items: z.array(eventTypeSchema).describe('Every kind of event.') }),
  },
} as const satisfies Record<string, Operation>

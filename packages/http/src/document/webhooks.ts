import { EVENT_DATA, EVENT_KIND_NAMES, EVENT_KINDS, type EventKind, exampleEvent } from '@stagecraft/spec/api'
import type { Schemas } from './schemas.ts'
import type { DocumentedOperation, Parameter, Paths } from './types.ts'

const HEADERS = {
  'x-service-signature': '`sha256=` and the HMAC-SHA-256 of the body in hex, keyed with the secret.',
  'webhook-id': 'The id of the event: the same for every attempt.',
  'webhook-timestamp': 'The time at which this attempt was signed, in seconds since 1970.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64; one for each secret, with spaces between them.',
} as const

/** Documents the body of a delivery for each kind of event. */
export function documentWebhooks(schemas: Schemas): Paths {
  return Object.fromEntries(EVENT_KIND_NAMES.map((kind) => [kind, { post: delivery(kind, schemas) }]))
}

function delivery(kind: EventKind, schemas: Schemas): DocumentedOperation {
  const event = schemas.components['Event'] as { readonly properties: Readonly<Record<string, unknown>> }
  const schema = {
    ...event,
    properties: { ...event.properties, event: { const: kind }, data: schemas.write(EVENT_DATA[kind]) },
  }
  return {
    summary: EVENT_KINDS[kind],
    tags: ['Events'],
    security: [],
    parameters: Object.entries(HEADERS).map(([name, description]) => header(name, description)),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, examples: { [kind]: { value: exampleEvent(kind) } } } },
    },
    responses: {
      '2XX': { description: 'It arrived.' },
      410: { description: 'Disables the webhook: the receiver wants no further deliveries.' },
      default: { description: 'The delivery failed, and is sent again later.' },
    },
  }
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}

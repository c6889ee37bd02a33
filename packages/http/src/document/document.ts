import {
  API_GROUPS,
  API_OPERATIONS,
  EVENT_DATA,
  EVENT_KINDS,
  EVENT_KIND_NAMES,
  type EventKind,
  type Operation,
  exampleEvent,
} from '@stagecraft/spec/api'
import { type Serve, servesApi, servesGenerate } from '../serve.ts'
import { documentOperation } from './api-operation.ts'
import { failureComponents } from './failures.ts'
import { documentHeaders } from './headers.ts'
import { generatePath, openPaths } from './own-operations.ts'
import { type Schemas, documentSchemas } from './schemas.ts'
import type { DocumentedOperation, OpenApiDocument, Parameter, Paths } from './types.ts'

const HEADERS = {
  'x-service-signature': '`sha256=` and the HMAC-SHA-256 of the body in hex, keyed with the secret.',
  'webhook-id': 'The id of the event: the same for every attempt.',
  'webhook-timestamp': 'The time at which this attempt was signed, in seconds since 1970.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64; one for each secret, with spaces between them.',
} as const

/** Documents the body of a delivery for each kind of event. */
function documentWebhooks(schemas: Schemas): Paths {
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
      '2XX': { description: 'The delivery was received.' },
      410: { description: 'Disables the webhook: the receiver refuses further deliveries.' },
      default: { description: 'The delivery failed; it is sent again later.' },
    },
  }
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}

export interface DocumentOptions {
  /** Documents the operations under `/v1`, which need a store. Default: only the engine. */
  readonly api?: boolean
  /** The same as in `createApp`. Default: both base addresses. */
  readonly serve?: Serve
  /** Documents `GET /metrics`. Default: false. */
  readonly metrics?: boolean
  /** The table under `/v1`. Default: `API_OPERATIONS`. */
  readonly operations?: Readonly<Record<string, Operation>>
}

const ABOUT = 'Generates dbt code for a source table: the model, its YAML, its tests.'

/** Creates the OpenAPI document of a service. */
export function createDocument({
  api: hasApi = false,
  metrics: hasMetrics = false,
  operations = API_OPERATIONS,
  serve = 'all',
}: DocumentOptions = {}): OpenApiDocument {
  const schemas = documentSchemas({ hasApi })
  const hasOperations = hasApi && servesApi(serve)
  const paths = {
    ...(servesGenerate(serve) && generatePath({ hasApi })),
    ...(hasOperations && apiPaths(operations, schemas)),
    ...openPaths({ hasMetrics }),
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stagecraft',
      version: '1.0.0',
      description: `${ABOUT} ${hasApi ? 'With projects, their units, connections and webhooks.' : 'One catalog, no store.'}`,
    },
    servers: [{ url: '/' }],
    tags: tagsOf(paths),
    paths,
    ...(hasOperations && { webhooks: documentWebhooks(schemas) }),
    components: {
      schemas: schemas.components,
      responses: hasOperations ? failureComponents() : {},
      headers: documentHeaders(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer sk_…`.' },
        ...(hasOperations && { session: SESSION }),
      },
    },
  }
}

/** The cookie of the dashboard. */
const SESSION = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-stagecraft',
  description:
    'A sign-in of the dashboard: see `POST /v1/session`. Calls that change something need the header `X-Stagecraft: 1` and the same origin.',
} as const

function apiPaths(operations: Readonly<Record<string, Operation>>, schemas: Schemas): Paths {
  const paths: Record<string, Record<string, DocumentedOperation>> = {}
  for (const [id, operation] of Object.entries(operations)) {
    const path = operation.path.replaceAll('*}', '}')
    const methods = (paths[path] ??= {})
    methods[operation.method.toLowerCase()] = documentOperation(operation, { id, schemas, tag: tagOf(id) })
  }
  return paths
}

function tagOf(id: string): string {
  return Object.entries(API_GROUPS).find(([, group]) => Object.hasOwn(group, id))?.[0] ?? 'Service'
}

const TAGS: Readonly<Record<string, string>> = {
  Generate: 'Generates one model in a single request.',
  Projects: 'The scope of a key: naming, options and the target of pushes.',
  Keys: 'API keys and their permissions.',
  Sessions: 'Sign-ins of the dashboard.',
  'Audit log': 'Changes, with the key that made them.',
  Activity: 'Counts of generations, deliveries and others, by the hour.',
  Connections: 'Warehouses and files that columns are read from.',
  Scans: 'Reads of whole catalogs into the store, and their tables.',
  Units: 'Named models.',
  Generations: 'Generations of units, and their files.',
  Pushes: 'Commits to the Git repository of a project.',
  Analyses: 'Checks of the dbt project in the Git repository, or of an uploaded one, against rules.',
  Changes: 'Changes as they happen.',
  Assistant: 'Conversations about the dbt project, with answers that cite files and lines, and proposals.',
  Events: 'Events of a project.',
  Webhooks: 'Receivers of events.',
  Deliveries: 'Events on their way to webhooks.',
  Service: 'Health and documents. No key is needed.',
}

function tagsOf(paths: Paths): OpenApiDocument['tags'] {
  const used = new Set(
    Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)),
  )
  return Object.entries(TAGS).flatMap(([name, description]) =>
    used.has(name) ? [{ name, description }] : [],
  )
}

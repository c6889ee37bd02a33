import { API_GROUPS, API_OPERATIONS, type Operation } from '@stagecraft/spec/api'
import { type Serve, servesApi, servesGenerate } from '../serve.ts'
import { documentOperation } from './api-operation.ts'
import { failureComponents } from './failures.ts'
import { documentHeaders } from './headers.ts'
import { generatePath, openPaths } from './own-operations.ts'
import { documentSchemas, type Schemas } from './schemas.ts'
import type { DocumentedOperation, OpenApiDocument, Paths } from './types.ts'
import { documentWebhooks } from './webhooks.ts'

export interface DocumentOptions {
  /** Documents the operations under `/v1`, which need a store. Default: an engine alone. */
  readonly api?: boolean
  /** As for `createApp`. Default: both base addresses in one. */
  readonly serve?: Serve
  /** Documents `GET /metrics`. Default: there is not. */
  readonly metrics?: boolean
  /** The table under `/v1`. Default: `API_OPERATIONS`. */
  readonly operations?: Readonly<Record<string, Operation>>
}

const ABOUT = 'Generates dbt code for a source table: the model, its YAML, its tests.'

/** The OpenAPI document of a service. */
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
      },
    },
  }
}

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
  Generate: 'Generates one table at once.',
  Projects: 'The scope of a key: naming, options and the target of pushes.',
  Keys: 'API keys and their permissions.',
  Connections: 'Sources of columns.',
  Scans: 'Whole catalogs read into the store, and their tables.',
  Units: 'Named models.',
  Generations: 'Generations of units, and their files.',
  Pushes: 'Commits to the Git repository of a project.',
  Events: 'What happened.',
  Webhooks: 'Receivers of events, and the state of deliveries.',
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

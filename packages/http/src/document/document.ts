import { ERROR_CODES, type ErrorCode } from '@stagecraft/spec'
import { STATUS_CODES } from '../answers/status-codes.ts'
import { errorExample, REQUEST_EXAMPLES, SUCCESS_EXAMPLE } from './examples.ts'
import { documentSchemas, type Schema } from './schemas.ts'

/** What of a document is read again here; it is plain JSON. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly [part: string]: unknown
  }
  readonly [part: string]: unknown
}

export interface Operation {
  readonly summary: string
  readonly description?: string
  readonly security?: readonly object[]
  readonly requestBody?: { readonly required: true; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, DocumentedAnswer>>
  readonly [part: string]: unknown
}

export interface DocumentedAnswer {
  readonly description: string
  readonly headers?: object
  readonly content: Readonly<Record<string, Media>>
}

interface Media {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}

const CONDITIONS = {
  UNAUTHORIZED: 'Invalid or missing API key.',
  FORBIDDEN: 'The key lacks the scope.',
  NOT_FOUND: 'Nothing is there, or not for this method.',
  RATE_LIMITED: 'Too many requests.',
  INVALID_REQUEST: 'The request is malformed; `details.faults` lists everything that is wrong.',
  INVALID_SOURCE: 'The source is not found; `details.suggestion` says what to try.',
  GENERATION_FAILED: 'The generation failed.',
  CONNECTION_FAILED: 'The warehouse cannot be read.',
} satisfies Record<ErrorCode, string>

/** The OpenAPI document of the service over an engine alone. */
export function createDocument(): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stagecraft',
      version: '1.0.0',
      description:
        'Makes dbt code for a source table: the model, its YAML, its tests. One catalog, no store.',
    },
    servers: [{ url: '/' }],
    paths: {
      '/generate': { post: generateOperation() },
      '/healthz': { get: healthOperation('isAlive', 'Whether the process answers', []) },
      '/readyz': { get: healthOperation('isReady', 'Whether it wants requests', ['CONNECTION_FAILED']) },
      '/openapi.json': { get: textOperation('getDocument', 'This document', 'application/json') },
      '/docs': { get: textOperation('getDocs', 'This document as a page', 'text/html') },
    },
    components: {
      schemas: documentSchemas(),
      headers: documentHeaders(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer sk_…`.' },
      },
    },
  }
}

function generateOperation(): Operation {
  const codes = ERROR_CODES.filter((code) => code !== 'NOT_FOUND')
  return {
    operationId: 'generate',
    summary: 'Generate a model for a source table',
    description: 'Needs a key with the scope `generate`.',
    security: [{ key: [] }],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: reference('GenerationRequest'), examples: REQUEST_EXAMPLES } },
    },
    responses: {
      200: {
        description: 'What was generated.',
        headers: headerReferences('x-request-id', 'ratelimit', 'ratelimit-policy'),
        content: {
          'application/json': {
            schema: reference('SuccessEnvelope'),
            examples: { generated: { value: SUCCESS_EXAMPLE } },
          },
        },
      },
      ...failures(codes),
    },
  }
}

function healthOperation(operationId: string, summary: string, codes: readonly ErrorCode[]): Operation {
  return {
    operationId,
    summary,
    security: [],
    responses: {
      200: {
        description: 'It does.',
        headers: headerReferences('x-request-id'),
        content: { 'application/json': { schema: reference('HealthEnvelope') } },
      },
      ...failures(codes),
    },
  }
}

function textOperation(operationId: string, summary: string, type: string): Operation {
  const schema = { type: type === 'text/html' ? 'string' : 'object' }
  return {
    operationId,
    summary,
    security: [],
    responses: { 200: { description: summary, content: { [type]: { schema } } } },
  }
}

/** One answer per status; two codes share 400. */
function failures(codes: readonly ErrorCode[]): Readonly<Record<string, DocumentedAnswer>> {
  const groups = Map.groupBy(codes, (code) => STATUS_CODES[code])
  return Object.fromEntries(
    [...groups].map(([status, group]) => [String(status), failureAnswer(status, group)]),
  )
}

function failureAnswer(status: number, codes: readonly ErrorCode[]): DocumentedAnswer {
  const special = { 401: ['www-authenticate'], 403: ['www-authenticate'], 429: RATE_HEADERS }[status] ?? []
  return {
    description: codes.map((code) => `\`${code}\`: ${CONDITIONS[code]}`).join(' '),
    headers: headerReferences('x-request-id', ...special),
    content: {
      'application/json': {
        schema: reference('ErrorEnvelope'),
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
      },
    },
  }
}

const RATE_HEADERS = ['retry-after', 'ratelimit', 'ratelimit-policy']

function documentHeaders(): Readonly<Record<string, object>> {
  const header = (description: string): object => ({ description, schema: { type: 'string' } })
  return {
    'x-request-id': header('The same as `meta.requestId`.'),
    'www-authenticate': header('`Bearer`, and what the key lacks.'),
    'retry-after': header('Seconds until the next request is allowed.'),
    ratelimit: header('What is left: `"default";r=50;t=30`.'),
    'ratelimit-policy': header('The quota of the key: `"default";q=100;w=60`.'),
  }
}

function headerReferences(...names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

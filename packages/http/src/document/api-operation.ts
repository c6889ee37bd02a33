import type { ErrorCode } from '@stagecraft/spec'
import type { Access, Operation } from '@stagecraft/spec/api'
import { answerExample } from './examples.ts'
import { failureReferences } from './failures.ts'
import { type HeaderName, headerReferences, RATE_HEADERS } from './headers.ts'
import { documentParameters } from './parameters.ts'
import { reference, type Schemas } from './schemas.ts'
import type { DocumentedAnswer, DocumentedOperation } from './types.ts'

/** Failures of every operation under `/v1`; the last is for unexpected errors. */
const COMMON: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'RATE_LIMITED',
  'INVALID_REQUEST',
  'GENERATION_FAILED',
]

interface Context {
  readonly id: string
  readonly tag: string
  readonly schemas: Schemas
}

/** Documents an operation of the table. */
export function documentOperation(operation: Operation, { id, schemas, tag }: Context): DocumentedOperation {
  const { deprecated, failures = [], hasVersion, method, otherStatus, status = 200, summary } = operation
  return {
    operationId: id,
    summary,
    description: describe(operation),
    tags: [tag],
    ...(deprecated && { deprecated: true as const }),
    security: operation.scope === 'none' ? [] : [{ key: [] }, { session: [] }],
    parameters: documentParameters(operation, schemas),
    ...requestBody(operation, schemas),
    responses: {
      [status]: successAnswer(operation, schemas),
      ...(otherStatus && {
        [otherStatus.status]: otherAnswer(operation, schemas, otherStatus.when),
      }),
      ...(hasVersion &&
        method === 'GET' && {
          304: {
            description: 'The resource is unchanged since `If-None-Match`.',
            headers: headerReferences('etag'),
          },
        }),
      ...failureReferences([...COMMON, ...failures]),
    },
  }
}

/** The description of operations that need no scope. */
const ACCESS: Readonly<Partial<Record<Access, string>>> = {
  any: 'Needs a key with any scope.',
  none: 'Needs no key.',
}

function describe({ deprecated, description, scope }: Operation): string {
  const successor = deprecated?.successor === undefined ? '' : `; use \`${deprecated.successor}\``
  return [
    ...(description === undefined ? [] : [description]),
    ACCESS[scope] ?? `Needs a key with the scope \`${scope}\`.`,
    ...(deprecated
      ? [`Deprecated since ${deprecated.since}, and may be removed from ${deprecated.sunset} on${successor}.`]
      : []),
  ].join(' ')
}

function requestBody(
  { body, examples = {}, isBodyOptional }: Operation,
  schemas: Schemas,
): Pick<DocumentedOperation, 'requestBody'> {
  if (!body) return {}
  const media = {
    schema: schemas.write(body),
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  }
  return { requestBody: { required: isBodyOptional !== true, content: { 'application/json': media } } }
}

function successAnswer(operation: Operation, schemas: Schemas): DocumentedAnswer {
  const { data, media = 'application/octet-stream', message } = operation
  const headers = headerReferences(...headersOf(operation))
  if (message) {
    const schema = {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: schemas.write(message),
    }
    return {
      description: 'A stream of messages, each with JSON in `data:`.',
      headers,
      content: { [media]: { schema } },
    }
  }
  if (!data) {
    return { description: 'The file.', headers, content: { [media]: { schema: { type: 'string' } } } }
  }
  const example = answerExample(operation)
  const schema = {
    type: 'object',
    properties: { success: { const: true }, data: schemas.write(data), meta: reference('Meta') },
    required: ['success', 'data', 'meta'],
  }
  return {
    description: describeAnswer(operation),
    headers,
    content: {
      'application/json': {
        schema,
        ...(example !== undefined && { examples: { answer: { value: example } } }),
      },
      ...(operation.stream !== undefined && { 'text/event-stream': { schema: { type: 'string' } } }),
    },
  }
}

/** Documents the other success response, which has no `location`. */
function otherAnswer(operation: Operation, schemas: Schemas, description: string): DocumentedAnswer {
  const { location: _, ...rest } = operation
  return { ...successAnswer(rest, schemas), description }
}

function describeAnswer({ isList, method, status = 200 }: Operation): string {
  if (status === 201) return 'Created.'
  if (status === 202) return 'Accepted; it runs as a job.'
  if (method === 'DELETE') return 'Deleted.'
  return isList ? 'One page, newest first.' : 'The resource as it is now.'
}

function headersOf({
  data,
  hasVersion,
  isCreation,
  isList,
  location,
  message,
  method,
}: Operation): readonly HeaderName[] {
  return [
    'x-request-id',
    'api-version',
    ...RATE_HEADERS,
    ...(hasVersion && method !== 'DELETE' ? (['etag'] as const) : []),
    ...(location === undefined ? [] : (['location'] as const)),
    ...(isList ? (['link'] as const) : []),
    ...(isCreation ? (['idempotent-replayed'] as const) : []),
    ...(data || message ? [] : (['content-disposition'] as const)),
  ]
}

import { ERROR_CODES, type ErrorCode } from '@stagecraft/spec'
import { REQUEST_EXAMPLES, SUCCESS_EXAMPLE } from './examples.ts'
import { failures } from './failures.ts'
import { headerReferences, RATE_HEADERS } from './headers.ts'
import { IDEMPOTENCY_KEY } from './parameters.ts'
import { reference } from './schemas.ts'
import type { DocumentedOperation, Paths } from './types.ts'

/** Documents `POST /generate`. */
export function generatePath({ hasApi }: { readonly hasApi: boolean }): Paths {
  const codes = ERROR_CODES.filter((code) => code !== 'NOT_FOUND')
  const operation: DocumentedOperation = {
    operationId: 'generate',
    summary: 'Generate a model for a source table',
    description: 'Needs a key with the scope `generate`.',
    tags: ['Generate'],
    security: [{ key: [] }],
    ...(hasApi && { parameters: [IDEMPOTENCY_KEY] }),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: reference('GenerationRequest'), examples: REQUEST_EXAMPLES } },
    },
    responses: {
      200: {
        description: 'The generated files and their warnings.',
        headers: headerReferences('x-request-id', ...RATE_HEADERS),
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
  return { '/generate': { post: operation } }
}

/** Documents health, documents and metrics, which need no key. */
export function openPaths({ hasMetrics }: { readonly hasMetrics: boolean }): Paths {
  return {
    '/healthz': { get: healthOperation('isAlive', 'Check if the process is alive', []) },
    '/readyz': {
      get: healthOperation('isReady', 'Check if it is ready to take traffic', ['CONNECTION_FAILED']),
    },
    ...(hasMetrics && {
      '/metrics': { get: textOperation('getMetrics', 'Counters, as Prometheus reads them', 'text/plain') },
    }),
    '/openapi.json': { get: textOperation('getDocument', 'This document', 'application/json') },
    '/docs': { get: textOperation('getDocs', 'This document as a page', 'text/html') },
  }
}

function healthOperation(
  operationId: string,
  summary: string,
  codes: readonly ErrorCode[],
): DocumentedOperation {
  return {
    operationId,
    summary,
    tags: ['Service'],
    security: [],
    responses: {
      200: {
        description: 'Yes.',
        headers: headerReferences('x-request-id'),
        content: { 'application/json': { schema: reference('HealthEnvelope') } },
      },
      ...failures(codes),
    },
  }
}

function textOperation(operationId: string, summary: string, type: string): DocumentedOperation {
  const schema = { type: type === 'application/json' ? 'object' : 'string' }
  return {
    operationId,
    summary,
    tags: ['Service'],
    security: [],
    responses: { 200: { description: summary, content: { [type]: { schema } } } },
  }
}

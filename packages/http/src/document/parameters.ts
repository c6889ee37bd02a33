import type { Operation } from '@stagecraft/spec/api'
import type { z } from '@stagecraft/spec/zod'
import { parameterNames } from '../api/paths.ts'
import { takesIfMatch } from '../api/read-call.ts'
import type { Schemas } from './schemas.ts'
import type { Parameter } from './types.ts'

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeated request with the same key and body gets the same response and runs only once. Use a new key for each request.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'Applies only if the resource still has this version: its `ETag`, `"v3"`.',
  schema: { type: 'string' },
}

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'An `ETag`; the response is 304 without a body if the resource is unchanged.',
  schema: { type: 'string' },
}

const LAST_EVENT_ID: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The `id` of the last message received; the stream continues after it.',
  schema: { type: 'string' },
}

/** Documents the parameters of an operation: everything but its body. */
export function documentParameters(operation: Operation, schemas: Schemas): readonly Parameter[] {
  const { hasVersion, isCreation, message, method, path, query } = operation
  return [
    ...parameterNames(path).map(pathParameter),
    ...(query ? queryParameters(query, schemas) : []),
    ...(isCreation ? [IDEMPOTENCY_KEY] : []),
    ...(takesIfMatch(operation) ? [IF_MATCH] : []),
    ...(hasVersion && method === 'GET' ? [IF_NONE_MATCH] : []),
    ...(message ? [LAST_EVENT_ID] : []),
  ]
}

function pathParameter(name: string): Parameter {
  const description = name.endsWith('*') ? 'The rest of the address, slashes included.' : describe(name)
  return {
    name: name.replace('*', ''),
    in: 'path',
    required: true,
    ...(description !== undefined && { description }),
    schema: { type: 'string' },
  }
}

function describe(name: string): string | undefined {
  if (name === 'projectId') return 'The project of the key.'
  return name === 'name' ? 'The dotted name: `raw.stripe.payments`.' : undefined
}

function queryParameters(query: z.ZodObject, schemas: Schemas): readonly Parameter[] {
  return Object.entries(query.shape).map(([name, field]: [string, z.ZodType]) => {
    const { description, ...schema } = schemas.write(field, 'output')
    return {
      name,
      in: 'query',
      required: !field.safeParse(undefined).success,
      ...(typeof description === 'string' && { description }),
      schema,
    }
  })
}

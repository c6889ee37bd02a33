import type { IncomingHttpHeaders } from 'node:http'
import { type Fault, StagecraftError } from '@stagecraft/spec'
import type { Caller, Operation } from '@stagecraft/spec/api'
import { check } from '@stagecraft/spec/validate'
import { z } from 'zod'
import { parseJsonBody } from '../body/json-body.ts'
import { readIdempotencyKey } from '../idempotency/run-once.ts'
import type { LooseCall } from './loose.ts'
import { readIfMatch } from './preconditions.ts'
import type { Read } from './read.ts'

/** A request as it came, past its key. */
interface RawCall {
  readonly caller: Caller
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly headers: IncomingHttpHeaders
  readonly bytes: Uint8Array
  readonly signal: AbortSignal
}

export interface ReadCall {
  readonly call: LooseCall
  /** Undefined when there is none, or the operation takes none. */
  readonly idempotencyKey: string | undefined
  /** The body before its schema filled it in. */
  readonly rawBody: unknown
}

/**
 * A request by the schemas of its operation.
 *
 * @throws {StagecraftError} INVALID_REQUEST with the faults of headers, query and body together.
 */
export function readCall(
  { bytes, caller, headers, params, query: rawQuery, requestId, signal }: RawCall,
  operation: Operation,
): ReadCall {
  const ifMatch = readIfMatch(headers['if-match'], operation)
  const key = operation.isCreation && readIdempotencyKey(headers)
  const keyFaults = key && 'fault' in key ? [key.fault] : []
  const query = readQuery(rawQuery, operation.query)
  const body = readBody(bytes, operation)
  const faults = [...ifMatch.faults, ...keyFaults, ...query.faults, ...body.faults]
  if (faults.length > 0) throw StagecraftError.invalid(faults, { subject: 'the request' })
  const call = {
    caller,
    requestId,
    params: named(params, operation.path),
    query: operation.query && query.value,
    body: body.value,
    ifVersion: ifMatch.value,
    signal,
  }
  return { call, idempotencyKey: key && 'value' in key ? key.value : undefined, rawBody: body.raw }
}

/** Fastify calls the rest of a path `*`. */
function named(
  { '*': rest, ...params }: Readonly<Record<string, string>>,
  path: string,
): Readonly<Record<string, string>> {
  const name = /\{(\w+)\*\}$/.exec(path)?.[1]
  return name === undefined || rest === undefined ? params : { ...params, [name]: rest }
}

/** The body of operations that need none: absent, or `{}`. */
const NOTHING = z.strictObject({})

interface ReadBody extends Read {
  /** As it came, before the schema filled in what was left out; undefined where bodies are ignored. */
  readonly raw: unknown
}

/**
 * A body, by the schema of its operation. That of GET and DELETE is ignored.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a body that is not JSON.
 */
function readBody(
  bytes: Uint8Array,
  { body: schema, isBodyOptional, method }: Pick<Operation, 'body' | 'isBodyOptional' | 'method'>,
): ReadBody {
  if (method === 'GET' || method === 'DELETE') return { raw: undefined, value: undefined, faults: [] }
  const mayLack = isBodyOptional ?? schema === undefined
  const raw = mayLack && bytes.length === 0 ? {} : parseJsonBody(bytes)
  const checked = check(schema ?? NOTHING, raw)
  if ('value' in checked) return { raw, value: schema && checked.value, faults: [] }
  return {
    raw,
    value: undefined,
    faults: checked.faults.map(({ expected, path, received }) => ({ path, expected, received })),
  }
}

const NO_QUERY = z.strictObject({})

/** The part of an address behind `?`; names that come twice are refused, and so are those that are not known. */
function readQuery(query: unknown, schema: z.ZodType = NO_QUERY): Read {
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [name, value] of Object.entries(query ?? {}) as [string, string | readonly string[]][]) {
    const refused = refusal(value)
    if (refused) faults.push({ path: `query.${name}`, ...refused })
    else values[name] = value
  }
  const checked = check(schema, values)
  if ('value' in checked) return { value: checked.value, faults }
  return {
    value: undefined,
    faults: [
      ...faults,
      ...checked.faults.map(({ expected, path, received }) => ({
        path: path === '' ? 'query' : `query.${path}`,
        expected,
        received,
      })),
    ],
  }
}

function refusal(value: string | readonly string[]): Omit<Fault, 'path'> | undefined {
  if (typeof value !== 'string') return { expected: 'one value', received: `${value.length} values` }
  if (!value.includes('\0')) return undefined
  return { expected: 'text without U+0000', received: 'a text with it' }
}

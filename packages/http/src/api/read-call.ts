import { StagecraftError } from '@stagecraft/spec'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller, Operation } from '@stagecraft/spec/api'
import { readIdempotencyKey } from '../idempotency/read-idempotency-key.ts'
import type { LooseCall } from './loose.ts'
import { readIfMatch } from './preconditions.ts'
import { readBody } from './read-body.ts'
import { readQuery } from './read-query.ts'

/** A request as it came, past its key. */
export interface RawCall {
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

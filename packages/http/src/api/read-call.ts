import { type Fault, StagecraftError } from '@stagecraft/spec'
import type { Call, Caller, Operation, SessionCookie, StreamMessage } from '@stagecraft/spec/api'
import { check } from '@stagecraft/spec/validate'
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from '@stagecraft/spec/zod'
import { parseJsonBody } from '../body/json-body.ts'
import { readIdempotencyKey } from '../idempotency/run-once.ts'

/** One part of a request, to be used only if no part has faults. */
interface Read<Value = unknown> {
  readonly value: Value
  readonly faults: readonly Fault[]
}

/** A call of any operation, checked by its schemas. */
interface LooseCall extends Omit<Call, 'caller' | 'params' | 'query' | 'body'> {
  readonly caller: Caller | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
}

/** A reply of any operation. */
export interface LooseReply {
  readonly data?: unknown
  readonly bytes?: Uint8Array
  readonly fileName?: string
  readonly media?: string
  readonly nextCursor?: string | undefined
  readonly tokensUsed?: number
  readonly status?: 200 | 201 | 202
  readonly cookie?: SessionCookie | null
  readonly messages?: AsyncIterable<StreamMessage>
}

export type LooseHandler = (call: LooseCall) => Promise<LooseReply>

/** Returns a member of unknown JSON. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The longest id, name or path of the service. */
const LONGEST = 1000

/**
 * Accepts parameters that may be ids or names, in the caller's own project.
 *
 * @throws {StagecraftError} NOT_FOUND, with the same message for another project and for one that does not
 * exist.
 */
export function checkParams(params: Readonly<Record<string, string>>, projectId: string | undefined): void {
  const requested = params['projectId']
  if (requested !== undefined && requested !== projectId)
    throw StagecraftError.unknownId('project', requested)
  for (const [name, value] of Object.entries(params)) {
    if (value.length <= LONGEST && !/\p{Cc}/u.test(value)) continue
    const path = name === '*' ? 'path' : name
    throw StagecraftError.unknownId(path.replace(/Id$/, ''), value, path)
  }
}

/**
 * Returns the tag of a resource: its version, which counts changes by people, and a hash of its content, which also
 * changes with a generation of a unit or a delivery of a webhook.
 */
export function entityTag(version: number, data: object): string {
  const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 16)
  return `"v${version}-${hash}"`
}

/** Returns true if an operation changes a resource with a version. */
export function takesIfMatch({ hasVersion, method }: Pick<Operation, 'hasVersion' | 'method'>): boolean {
  return hasVersion === true && (method === 'PATCH' || method === 'DELETE')
}

/**
 * Returns the version that `If-Match` asks for; the hash in the tag is ignored. Operations that cannot check a
 * version refuse the header instead of ignoring it.
 */
function readIfMatch(
  header: string | undefined,
  operation: Pick<Operation, 'hasVersion' | 'method'>,
): Read<number | undefined> {
  if (header === undefined || operation.method === 'GET') return { value: undefined, faults: [] }
  const path = 'headers.if-match'
  const received = JSON.stringify(header.slice(0, 60))
  if (!takesIfMatch(operation)) {
    return {
      value: undefined,
      faults: [{ path, expected: 'no If-Match header for this operation', received }],
    }
  }
  if (header.trim() === '*') return { value: undefined, faults: [] }
  const digits = /^\s*"v([1-9]\d{0,14})(?:-[\da-f]{16})?"\s*$/.exec(header)?.[1]
  if (digits !== undefined) return { value: Number(digits), faults: [] }
  const expected = 'one ETag of the resource, such as "v3" with its quotes, or *'
  return { value: undefined, faults: [{ path, expected, received }] }
}

/** Returns true if `If-None-Match` names the tag. `W/` is ignored, as RFC 9110 requires. */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const names = new Set(header.split(',').map((one) => one.trim().replace(/^W\//, '')))
  return names.has(tag) || names.has('*')
}

/** A request after its key was checked. */
interface RawCall {
  readonly caller: Caller | undefined
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly headers: IncomingHttpHeaders
  readonly bytes: Uint8Array
  readonly signal: AbortSignal
}

export interface ReadCall {
  readonly call: LooseCall
  /** Undefined if there is none, or if the operation takes none. */
  readonly idempotencyKey: string | undefined
  /** The body before its schema added defaults. */
  readonly rawBody: unknown
}

/**
 * Reads a request by the schemas of its operation.
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
    ...(operation.message && { lastEventId: lastEventId(headers) }),
    ...(operation.stream !== undefined && { wantsStream: acceptsStream(headers) }),
  }
  return { call, idempotencyKey: key && 'value' in key ? key.value : undefined, rawBody: body.raw }
}

/** Longer positions are rejected unread. */
const LONGEST_POSITION = 200

/** Returns the position from which a stream continues. An invalid position counts as unknown. */
function lastEventId(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['last-event-id']
  return typeof value === 'string' ? value.slice(0, LONGEST_POSITION) : undefined
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
  /** The body as sent, before the schema added defaults; undefined where bodies are ignored. */
  readonly raw: unknown
}

/**
 * Reads a body by the schema of its operation. GET and DELETE ignore theirs.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a body that is not JSON.
 */
function readBody(
  bytes: Uint8Array,
  { body: schema, isBodyOptional, method }: Pick<Operation, 'body' | 'isBodyOptional' | 'method'>,
): ReadBody {
  if (method === 'GET' || method === 'DELETE') return { raw: undefined, value: undefined, faults: [] }
  const mayBeMissing = isBodyOptional ?? schema === undefined
  const raw = mayBeMissing && bytes.length === 0 ? {} : parseJsonBody(bytes)
  const checked = check(schema ?? NOTHING, raw)
  if ('value' in checked) return { raw, value: schema && checked.value, faults: [] }
  return {
    raw,
    value: undefined,
    faults: checked.faults.map(({ expected, path, received }) => ({ path, expected, received })),
  }
}

const NO_QUERY = z.strictObject({})

/** Reads the query of a URL. Repeated and unknown names are refused. */
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
  return { expected: 'text without U+0000', received: 'text with U+0000' }
}

/** Returns true if a client asks for a stream by its media type; a wildcard does not count. */
function acceptsStream({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.split(',').some((one) => one.trim().split(';', 1)[0] === 'text/event-stream')
}

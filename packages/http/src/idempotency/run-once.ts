import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { compareText, type Fault, StagecraftError } from '@stagecraft/spec'
import { type Answer, Refusal } from '../answers/answer.ts'
import type { IdempotencyStore } from '../ports/idempotency.ts'
import type { Logger } from '../ports/logger.ts'

interface RunOnceOptions {
  readonly request: {
    readonly holderId: string
    readonly route: string
    readonly key: string
    /** The path of the request: the same key for another resource is another request. */
    readonly address: string
    readonly body: unknown
  }
  readonly store: IdempotencyStore
  readonly logger: Logger
  readonly requestId: string
}

/**
 * Runs the work, or returns the earlier response for the same key. Only successes are kept: after a failure, the same
 * request runs again.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a key that was used with another body, or whose request is still in
 * progress.
 */
export async function runOnce(
  work: () => Promise<Answer>,
  { logger, request: { address, body, ...identity }, requestId, store }: RunOnceOptions,
): Promise<Answer> {
  const start = await store.begin({ ...identity, bodyHash: hashRequest(address, body) })
  if (start.state === 'replay') {
    const { headers, ...rest } = start.answer
    logger.info({ requestId, first: headers['x-request-id'] }, 'repeated an earlier response')
    return { ...rest, headers: { ...headers, 'idempotent-replayed': 'true' } }
  }
  if (start.state !== 'fresh') throw refusal(start.state)
  const { token } = start
  const report = (error: unknown): void =>
    logger.error({ requestId, error: String(error) }, 'the store of idempotency keys failed')
  try {
    const answer = await work()
    // The work is done, so the caller gets its response even if the store fails.
    await store.finish(token, answer).catch(report)
    return answer
  } catch (error) {
    await store.abandon(token).catch(report)
    throw error
  }
}

const REASONS = {
  'other-body': {
    message: 'the Idempotency-Key belongs to another request; use a new key for each request',
    expected: 'the request that first used the key',
    received: 'a different request',
    headers: {},
  },
  'in-flight': {
    message: 'the request with this Idempotency-Key is still in progress; try again in 1 s',
    expected: 'one request at a time',
    received: 'the same request again',
    headers: { 'retry-after': '1' },
  },
} as const

function refusal(reason: keyof typeof REASONS): Refusal {
  const { expected, headers, message, received } = REASONS[reason]
  const faults = [{ path: 'headers.idempotency-key', expected, received }]
  return new Refusal('INVALID_REQUEST', message, { headers, details: { reason, faults } })
}

/** Returns the header `Idempotency-Key`; undefined if there is none. */
export function readIdempotencyKey(
  headers: IncomingHttpHeaders,
): { readonly value: string } | { readonly fault: Fault } | undefined {
  const header = headers['idempotency-key']
  if (header === undefined) return undefined
  // Several headers arrive joined by a comma and a space, which no key contains.
  if (typeof header === 'string' && /^[!-~]{1,255}$/.test(header)) return { value: header }
  const fault = {
    path: 'headers.idempotency-key',
    expected: '1 to 255 visible ASCII characters',
    received: header === '' ? 'nothing' : 'a longer text or one with other characters',
  }
  return { fault }
}

export function invalidIdempotencyKey(fault: Fault): StagecraftError {
  return StagecraftError.invalid([fault])
}

/**
 * Returns the SHA-256 of a URL and a body, independent of the order of its members.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a body that is nested too deeply to be printed.
 */
function hashRequest(address: string, body: unknown): string {
  return hash('sha256', `${address}\n${canonical(body)}`)
}

function canonical(body: unknown): string {
  try {
    return JSON.stringify(body, sortMembers)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const fault = { path: '', expected: 'less nesting', received: 'thousands of levels' }
    throw StagecraftError.invalid([fault], { subject: 'the body' })
  }
}

function sortMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => compareText(a, b)))
}

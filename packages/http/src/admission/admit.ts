import { StagecraftError } from '@stagecraft/spec'
import type { Caller } from '@stagecraft/spec/api'
import { Refusal } from '../answers/refusal.ts'
import { checkKeyFormat } from '../keys/key-format.ts'
import type { KeyHolder, Keys } from '../ports/keys.ts'
import type { Logger } from '../ports/logger.ts'
import type { RateLimiter, RatePolicy, RateState } from '../ports/rate-limiter.ts'

export interface AdmissionSetup {
  readonly keys: Keys
  readonly rate: RateLimiter | undefined
  readonly logger: Logger
}

/** The checks to make before the body is read. */
interface AdmissionRequest {
  readonly requestId: string
  /** Every header `Authorization`, as sent. */
  readonly authorization: readonly string[]
  /** The scope that the key must have. */
  readonly scope: string
  /** True if the key must belong to a project. Default false. */
  readonly needsProject?: boolean
}

interface Admitted {
  readonly holder: KeyHolder
  /** Headers for the answer, whatever becomes of the request. */
  readonly headers: Readonly<Record<string, string>>
}

const CHALLENGE = 'Bearer realm="stagecraft"'

/**
 * Lets a request in, or not: its key, what the key opens, and how often.
 *
 * @throws {StagecraftError} UNAUTHORIZED, FORBIDDEN or RATE_LIMITED.
 */
export async function admit(request: AdmissionRequest, setup: AdmissionSetup): Promise<Admitted> {
  const { keys, rate } = setup
  const key = readBearer(request.authorization)
  const holder = key === undefined ? undefined : await keys.verify(key)
  if (!holder) throw unauthorized(key, request, setup)
  if (!holder.scopes.includes(request.scope)) throw forbidden(request.scope)
  if (request.needsProject && holder.projectId === undefined) throw withoutProject()
  if (!rate) return { holder, headers: {} }
  const state = await rate.take(holder.id)
  const headers = rateHeaders(rate.policy, state)
  if (state.allowed) return { holder, headers }
  const wait = Math.max(1, Math.ceil(state.retrySeconds))
  const suggestion = `try again in ${wait} s`
  throw new Refusal('RATE_LIMITED', `too many requests; ${suggestion}`, {
    headers: { ...headers, 'retry-after': String(wait) },
    details: { suggestion },
  })
}

/** One answer for every reason; the log tells them apart. */
function unauthorized(
  key: string | undefined,
  { authorization, requestId }: AdmissionRequest,
  { logger }: AdmissionSetup,
): Refusal {
  logger.warn({ requestId, reason: whyUnauthorized(key, authorization.length) }, 'no valid key')
  return new Refusal('UNAUTHORIZED', 'expected a valid key in the header "Authorization: Bearer <key>"', {
    headers: { 'www-authenticate': CHALLENGE },
  })
}

function whyUnauthorized(key: string | undefined, headers: number): string {
  if (headers === 0) return 'no header Authorization'
  if (headers > 1) return 'several headers Authorization'
  if (key === undefined) return 'the header Authorization is not "Bearer <key>"'
  return {
    valid: 'the key is unknown',
    mistyped: 'the key has a typo: its checksum is wrong',
    foreign: 'the key is unknown, and of another format',
  }[checkKeyFormat(key)]
}

function withoutProject(): StagecraftError {
  return new StagecraftError('FORBIDDEN', 'the key belongs to no project; use the key of a project')
}

function forbidden(scope: string): Refusal {
  return new Refusal('FORBIDDEN', `the key lacks the scope "${scope}"`, {
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
    details: { scope },
  })
}

/** Returns the caller as handlers see it; undefined for a key without a project. */
export function callerOf({ id, projectId, scopes }: KeyHolder): Caller | undefined {
  return projectId === undefined ? undefined : { keyId: id, projectId, scopes }
}

/** The longest key that is looked at. */
const LONGEST = 512

/**
 * The key in the headers `Authorization` of a request; undefined when there is none, or several. Written by RFC 6750,
 * with any case of the scheme and any space around the key.
 */
function readBearer(authorization: readonly string[]): string | undefined {
  const [header, ...others] = authorization
  if (header === undefined || others.length > 0) return undefined
  const key = /^[ \t]*bearer[ \t]+([\w.~+/-]+=*)[ \t]*$/i.exec(header)?.[1]
  return key === undefined || key.length > LONGEST ? undefined : key
}

/** The fields of https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/11/. */
function rateHeaders(
  { requests, seconds }: RatePolicy,
  { remaining, resetSeconds }: RateState,
): Readonly<Record<string, string>> {
  return {
    'ratelimit-policy': `"default";q=${requests};w=${seconds}`,
    ratelimit: `"default";r=${remaining};t=${Math.ceil(resetSeconds)}`,
  }
}

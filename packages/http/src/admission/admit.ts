import { StagecraftError } from '@stagecraft/spec'
import type { Access, Caller } from '@stagecraft/spec/api'
import { CHALLENGE, Refusal } from '../answers/answer.ts'
import { checkKeyFormat } from '../keys/key-format.ts'
import type { KeyHolder, Keys } from '../ports/keys.ts'
import type { Logger } from '../ports/logger.ts'
import type { RateLimiter, RatePolicy, RateState } from '../ports/rate-limiter.ts'
import type { Sessions } from '../ports/sessions.ts'

export interface AdmissionSetup {
  readonly keys: Keys
  readonly rate: RateLimiter | undefined
  readonly logger: Logger
}

/** The checks to make before the body is read. */
interface AdmissionRequest {
  readonly requestId: string
  /** All `Authorization` headers, as sent. */
  readonly authorization: readonly string[]
  /** The scope that the key must have. */
  readonly scope: Exclude<Access, 'none'>
  /** True if the key must belong to a project. Default false. */
  readonly needsProject?: boolean
}

/** The checks of a request with the cookie of the dashboard. */
interface SessionRequest extends Omit<AdmissionRequest, 'authorization'> {
  readonly token: string
}

interface Admitted {
  readonly holder: KeyHolder
  /** Headers of the response, whether the request succeeds or fails. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Admits a request by its key, the key's scopes and its rate limit.
 *
 * @throws {StagecraftError} UNAUTHORIZED, FORBIDDEN or RATE_LIMITED.
 */
export async function admit(request: AdmissionRequest, setup: AdmissionSetup): Promise<Admitted> {
  const key = readBearer(request.authorization)
  const holder = key === undefined ? undefined : await setup.keys.verify(key)
  if (!holder) throw unauthorized(key, request, setup)
  return await admitHolder(holder, request, setup)
}

/**
 * Admits a request of the dashboard by the key of its session.
 *
 * @throws {StagecraftError} UNAUTHORIZED, FORBIDDEN or RATE_LIMITED.
 */
export async function admitSession(
  request: SessionRequest,
  { sessions, ...setup }: AdmissionSetup & { readonly sessions: Sessions },
): Promise<Admitted> {
  const holder = await sessions.verify(request.token)
  if (holder) return await admitHolder(holder, request, setup)
  throw new StagecraftError('UNAUTHORIZED', 'the session has ended; sign in again', {
    details: { reason: 'session' },
  })
}

async function admitHolder(
  holder: KeyHolder,
  { needsProject, scope }: Pick<AdmissionRequest, 'needsProject' | 'scope'>,
  { rate }: Pick<AdmissionSetup, 'rate'>,
): Promise<Admitted> {
  if (scope !== 'any' && !holder.scopes.includes(scope)) throw forbidden(scope)
  if (needsProject && holder.projectId === undefined) throw withoutProject()
  return { holder, headers: rate ? await takeQuota(rate, holder.id) : {} }
}

/**
 * Counts a request, and returns the headers with the remaining quota.
 *
 * @throws {StagecraftError} RATE_LIMITED.
 */
export async function takeQuota(
  rate: RateLimiter,
  holderId: string,
): Promise<Readonly<Record<string, string>>> {
  const state = await rate.take(holderId)
  const headers = rateHeaders(rate.policy, state)
  if (state.allowed) return headers
  const wait = Math.max(1, Math.ceil(state.retrySeconds))
  const suggestion = `try again in ${wait} s`
  throw new Refusal('RATE_LIMITED', `too many requests; ${suggestion}`, {
    headers: { ...headers, 'retry-after': String(wait) },
    details: { suggestion },
  })
}

/** Every reason gets the same response; the log says which one it was. */
function unauthorized(
  key: string | undefined,
  { authorization, requestId }: AdmissionRequest,
  { logger }: AdmissionSetup,
): StagecraftError {
  logger.warn({ requestId, reason: whyUnauthorized(key, authorization.length) }, 'no valid key')
  return new StagecraftError(
    'UNAUTHORIZED',
    'expected a valid key in the header "Authorization: Bearer <key>"',
  )
}

function whyUnauthorized(key: string | undefined, headers: number): string {
  if (headers === 0) return 'no Authorization header'
  if (headers > 1) return 'several Authorization headers'
  if (key === undefined) return 'the Authorization header is not "Bearer <key>"'
  return {
    valid: 'the key is unknown',
    mistyped: 'the key has a typo: its checksum is wrong',
    foreign: 'the key is unknown and has another format',
  }[checkKeyFormat(key)]
}

function withoutProject(): StagecraftError {
  return new StagecraftError('FORBIDDEN', 'the key does not belong to a project; use the key of a project')
}

function forbidden(scope: string): Refusal {
  return new Refusal('FORBIDDEN', `the key lacks the scope "${scope}"`, {
    headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
    details: { scope },
  })
}

/** Returns the caller as handlers see it; undefined for a key without a project. */
export function callerOf({ id, projectId, scopes, sessionId }: KeyHolder): Caller | undefined {
  if (projectId === undefined) return undefined
  return { keyId: id, projectId, scopes, ...(sessionId !== undefined && { sessionId }) }
}

/** Longer keys are rejected unread. */
const LONGEST = 512

/**
 * Returns the key in the `Authorization` header; undefined if there is none, or several. By RFC 6750, the
 * scheme may be in any case, and the key may have spaces around it.
 */
function readBearer(authorization: readonly string[]): string | undefined {
  const [header, ...others] = authorization
  if (header === undefined || others.length > 0) return undefined
  const key = /^[ \t]*bearer[ \t]+([\w.~+/-]+=*)[ \t]*$/i.exec(header)?.[1]
  return key === undefined || key.length > LONGEST ? undefined : key
}

/** Returns the headers of https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/11/. */
function rateHeaders(
  { requests, seconds }: RatePolicy,
  { remaining, resetSeconds }: RateState,
): Readonly<Record<string, string>> {
  return {
    'ratelimit-policy': `"default";q=${requests};w=${seconds}`,
    ratelimit: `"default";r=${remaining};t=${Math.ceil(resetSeconds)}`,
  }
}

import { StagecraftError } from '@stagecraft/spec'
import { Refusal } from '../answers/refusal.ts'
import { checkKeyFormat } from '../keys/key-format.ts'
import { rateHeaders } from '../limits/rate-headers.ts'
import type { KeyHolder, Keys } from '../ports/keys.ts'
import type { Logger } from '../ports/logger.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import { readBearer } from './read-bearer.ts'

export interface AdmissionSetup {
  readonly keys: Keys
  readonly rate: RateLimiter | undefined
  readonly logger: Logger
}

/** The checks to make before the body is read. */
export interface AdmissionRequest {
  readonly requestId: string
  /** Every header `Authorization`, as sent. */
  readonly authorization: readonly string[]
  /** The scope that the key must have. */
  readonly scope: string
  /** True if the key must belong to a project. Default false. */
  readonly needsProject?: boolean
}

export interface Admitted {
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

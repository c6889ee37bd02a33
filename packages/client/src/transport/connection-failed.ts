import { StagecraftError } from '@stagecraft/spec'

/**
 * Creates the error for a request without a usable answer. It has no `cause`, because errors of `fetch` may
 * contain the headers.
 */
export function connectionFailed(host: string, reason: string): StagecraftError {
  return new StagecraftError('CONNECTION_FAILED', `the request to ${host} failed: ${reason}`, {
    details: { host, reason },
  })
}

/**
 * Creates the error for an answer from something other than the service: a proxy, a login page, another
 * program.
 */
export function notOfService(host: string, status: number): StagecraftError {
  return connectionFailed(host, `the answer with status ${status} is not from a Stagecraft service`)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be resolved right now',
  ETIMEDOUT: 'the host cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'the host cannot be reached',
}

/** Failures before the connection was established. */
const NEVER_SENT: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Returns true if a failed request certainly did not reach the service. */
export function wasNeverSent(error: unknown): boolean {
  return NEVER_SENT.has(codeOf(error))
}

/**
 * Returns the reason why a `fetch` failed, in words or as the platform's code. The platform's message is not
 * used.
 */
export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  return code === undefined ? 'the connection failed' : (REASONS[code] ?? code)
}

function codeOf(error: unknown): string | undefined {
  const codes: string[] = []
  for (let at = error; at instanceof Error && codes.length < 5; at = at.cause)
    codes.push('code' in at && typeof at.code === 'string' ? at.code : '')
  return codes.findLast((text) => /^[A-Z][A-Z0-9_]+$/.test(text))
}

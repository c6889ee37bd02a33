/** The reasons why an attempt fails. The words are fixed, so they reveal nothing about a network or a receiver. */
export const DELIVERY_FAILURES = {
  aborted: 'the service stopped the attempt',
  connect: 'no connection to the host',
  dns: 'the host name has no address, or the name server does not respond',
  protocol: 'the response was not HTTP',
  redirect: 'the receiver redirected; redirects are not followed',
  reset: 'the receiver closed the connection before it responded',
  status: 'the response status is not 2xx',
  timeout: 'the receiver did not respond in time',
  tls: 'no trusted TLS connection: check the certificate',
  too_large_headers: 'the response headers are larger than 16 KiB',
  unsafe_address: 'the host resolves to a private or special address, which the endpoint policy blocks',
  unsafe_url: 'the endpoint policy blocks this URL',
} as const

export type DeliveryFailure = keyof typeof DELIVERY_FAILURES

const FAILURE_OF_CODE: Readonly<Record<string, DeliveryFailure>> = {
  UNSAFE_ADDRESS: 'unsafe_address',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  ENOTFOUND: 'dns',
  ENODATA: 'dns',
  ESERVFAIL: 'dns',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'too_large_headers',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  INVALID_CA: 'tls',
  PATH_LENGTH_EXCEEDED: 'tls',
}

const FAILURE_OF_PREFIX: readonly (readonly [prefix: string, DeliveryFailure])[] = [
  ['EAI_', 'dns'],
  ['CERT_', 'tls'],
  ['CRL_', 'tls'],
  ['ERR_SSL_', 'tls'],
  ['ERR_TLS_', 'tls'],
  ['ERR_OSSL_', 'tls'],
  ['UNABLE_TO_', 'tls'],
  ['UND_ERR_RES', 'protocol'],
]

export interface ExplainedFailure {
  readonly failure: DeliveryFailure
  /** The error code of the system, `ECONNREFUSED`. */
  readonly code?: string
}

/** Classifies an error. Failures outside the tables are `connect`. */
export function explainFailure(error: unknown): ExplainedFailure {
  // Its code comes from the parser, and is often missing.
  if (error instanceof Error && error.name === 'HTTPParserError') return { failure: 'protocol' }
  const code = findCode(error)
  if (code === undefined) return { failure: 'connect' }
  const byPrefix = FAILURE_OF_PREFIX.find(([prefix]) => code.startsWith(prefix))?.[1]
  const byCode = Object.hasOwn(FAILURE_OF_CODE, code) ? FAILURE_OF_CODE[code] : undefined
  return { failure: byCode ?? byPrefix ?? 'connect', code }
}

/** Returns the code of the error, of its cause, or of the first address that was tried. */
function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code: unknown = 'code' in error ? error.code : undefined
  if (typeof code === 'string' && /^[A-Z][A-Z\d_]{1,59}$/.test(code)) return code
  return findCode(error instanceof AggregateError ? error.errors[0] : error.cause)
}

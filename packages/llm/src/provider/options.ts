import { type Fault, StagecraftError } from '@stagecraft/spec'

/** Options of all providers. */
export interface TransportOptions {
  /** For proxies, recordings and tests. @default the global fetch */
  readonly fetch?: typeof fetch
  /** The number of retries after a transient failure, within `timeoutMs`. @default 2 */
  readonly maxRetries?: number
  /**
   * The silence in milliseconds after which the host is probed with `GET /`, without key and prompt. Any answer
   * counts; after two unanswered probes the call fails as `network`. Use Infinity for a server that cannot answer
   * while it computes.
   *
   * @default 10_000
   */
  readonly probeAfterMs?: number
  /** The time limit of such a probe. @default 3_000 */
  readonly probeTimeoutMs?: number
}

/** The options that all providers share, with defaults filled in. */
export interface Connection {
  readonly apiKey: string | undefined
  readonly model: string
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly maxRetries: number
  readonly probeAfterMs: number
  readonly probeTimeoutMs: number
}

/** The options of a caller; the others have the same defaults everywhere. */
export interface GivenConnection extends TransportOptions {
  readonly apiKey: string | undefined
  readonly model: string
  readonly baseUrl: string
}

interface Field {
  readonly value: unknown
  readonly name: keyof Connection
  readonly expected: string
  readonly holds: (value: unknown) => boolean
}

const MOST_RETRIES = 10

/**
 * Checks the options of a caller.
 *
 * @throws {StagecraftError} INVALID_REQUEST with all faults, without the key.
 */
export function checkConnection(
  factory: string,
  options: GivenConnection,
  { isKeyOptional = false }: { readonly isKeyOptional?: boolean } = {},
): Connection {
  const given = withDefaults(options)
  const faults = fieldsOf(given, isKeyOptional).flatMap(({ value, name, expected, holds }): Fault[] =>
    holds(value) ? [] : [{ path: name, expected, received: describe(name, value) }],
  )
  if (faults.length === 0) return given
  const lines = faults.map(({ path, expected, received }) => `${path}: expected ${expected}, got ${received}`)
  throw new StagecraftError(
    'INVALID_REQUEST',
    `the options of ${factory}() are not valid: ${lines.join('; ')}`,
    { details: { faults } },
  )
}

function withDefaults(options: GivenConnection): Connection {
  const { apiKey, baseUrl, fetch = globalThis.fetch, maxRetries = 2, model } = options
  const { probeAfterMs = 10_000, probeTimeoutMs = 3000 } = options
  return { apiKey, baseUrl, fetch, maxRetries, model, probeAfterMs, probeTimeoutMs }
}

function fieldsOf(given: Connection, isKeyOptional: boolean): readonly Field[] {
  return [
    {
      value: given.apiKey,
      name: 'apiKey',
      expected: 'a key without spaces and line breaks (the command line reads it from the environment)',
      holds: (value) => (isKeyOptional && value === undefined) || isKey(value),
    },
    {
      value: given.model,
      name: 'model',
      expected: "the provider's name of a model",
      holds: (value) => typeof value === 'string' && value.trim() !== '',
    },
    {
      value: given.baseUrl,
      name: 'baseUrl',
      expected: 'an http or https URL without a user, password, query or fragment',
      holds: isBaseUrl,
    },
    {
      value: given.baseUrl,
      name: 'baseUrl',
      expected: 'https, or an address of this machine, because a key is sent there',
      holds: (value) => given.apiKey === undefined || !isBaseUrl(value) || isPrivate(String(value)),
    },
    {
      value: given.fetch,
      name: 'fetch',
      expected: 'a function like the global fetch',
      holds: (value) => typeof value === 'function',
    },
    {
      value: given.maxRetries,
      name: 'maxRetries',
      expected: `a whole number from 0 to ${MOST_RETRIES}`,
      holds: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_RETRIES,
    },
    ...(['probeAfterMs', 'probeTimeoutMs'] as const).map((name) => ({
      value: given[name],
      name,
      expected: 'a number of milliseconds above 0',
      holds: (value: unknown) => typeof value === 'number' && value > 0,
    })),
  ]
}

/** Headers refuse all other characters, with an error that shows the value. */
function isKey(value: unknown): boolean {
  return typeof value === 'string' && /^[\u0021-\u007E]+$/.test(value)
}

function isBaseUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, username, password, search, hash } = new URL(value)
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '')
}

/** Returns true if no third party can read the request. */
function isPrivate(baseUrl: string): boolean {
  const { hostname, protocol } = new URL(baseUrl)
  return protocol === 'https:' || /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/.test(hostname)
}

/** Keys and URLs contain secrets, so messages only describe their form. */
function describe(name: keyof Connection, value: unknown): string {
  if (typeof value === 'string') {
    if (value.trim() === '') return 'an empty text'
    return name === 'apiKey' || name === 'baseUrl' ? 'something else' : JSON.stringify(value)
  }
  return typeof value === 'number' ? String(value) : `a value of type ${typeof value}`
}

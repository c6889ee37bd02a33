import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'
import { QUERY_SECONDS } from '../network/connection-failed.ts'
import { isSecureAddress } from '../network/http-origin.ts'

/** The session property with the time limit in the server. It is the first of the list. */
const OWN_LIMIT = `query_max_run_time=${QUERY_SECONDS}s`

type Headers = Readonly<Record<string, string>>

/** Returns the headers for a user who cannot set session properties; undefined if they do not set the limit. */
export function withoutOwnLimit(headers: Headers): Headers | undefined {
  const session = headers['X-Trino-Session'] ?? ''
  if (!session.startsWith(OWN_LIMIT)) return undefined
  return { ...headers, 'X-Trino-Session': session.slice(OWN_LIMIT.length + 1) }
}

const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i

/**
 * Returns the headers of every request:
 * https://trino.io/docs/current/develop/client-protocol.html#client-request-headers
 *
 * @throws {StagecraftError} INVALID_REQUEST for a secret that would be sent without TLS, or text that a header cannot
 * contain.
 */
export function sessionHeaders(address: Address): Headers {
  const { option, user } = address
  const authorization = authorizationOf(address)
  const acting = option('impersonation_user') ?? user ?? (authorization ? undefined : 'stagecraft')
  const properties = pairsOf(option('session_properties'))
  const limits = 'query_max_run_time' in properties ? [] : [OWN_LIMIT]
  const roles = Object.entries(pairsOf(option('roles'))).map(
    ([catalog, role]) => [catalog, /^(?:ALL|NONE)$|^ROLE\{/.test(role) ? role : `ROLE{${role}}`] as const,
  )
  const headers = {
    ...pairsOf(option('http_headers')),
    ...(authorization !== undefined && { Authorization: authorization }),
    ...(acting !== undefined && { 'X-Trino-User': acting }),
    'X-Trino-Source': 'stagecraft',
    'X-Trino-Client-Tags': ['stagecraft', option('client_tags') ?? []].flat().join(','),
    'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
    'X-Trino-Time-Zone': option('timezone') ?? 'UTC',
    'X-Trino-Session': [...limits, ...printPairs(properties)].join(','),
    ...(roles.length > 0 && { 'X-Trino-Role': printPairs(Object.fromEntries(roles)).join(',') }),
  }
  const wrong = Object.entries(headers).find(([, value]) => !/^[\x20-\x7e]*$/.test(value))
  if (wrong)
    throw StagecraftError.invalid({
      path: `catalog: ${wrong[0]}`,
      expected: 'only ASCII characters, because it is sent in a header',
      received: 'other characters',
    })
  return headers
}

/**
 * Returns the time limit of a statement in seconds, which an address may set:
 * https://trino.io/docs/current/admin/properties.html
 */
export function limitOf({ option }: Address): number {
  const [, number, unit = 's'] =
    /^(\d+(?:\.\d+)?)(s|m|h|d)$/.exec(pairsOf(option('session_properties'))['query_max_run_time'] ?? '') ?? []
  return number === undefined ? QUERY_SECONDS : Number(number) * (SECONDS_OF[unit] ?? 1)
}

const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

function authorizationOf(address: Address): string | undefined {
  const { host, option, password, user } = address
  const secret = password()
  if (secret === undefined) return undefined
  if (!isSecureAddress(address) && !LOCAL.test(host))
    throw StagecraftError.invalid({
      path: 'catalog',
      expected: 'HTTPS (secure=true), because a password is sent',
      received: 'an address over HTTP',
    })
  if (option('auth') === 'jwt') return `Bearer ${secret}`
  return `Basic ${Buffer.from(`${user ?? ''}:${secret}`).toString('base64')}`
}

/** Reads `name:value;name:value`, each part escaped as in URLs. */
function pairsOf(text: string | undefined): Readonly<Record<string, string>> {
  const parts = text?.split(';').filter((part) => part !== '') ?? []
  return Object.fromEntries(
    parts.map((part) => {
      const [name = '', ...value] = part.split(':')
      return [decode(name), decode(value.join(':'))]
    }),
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function printPairs(pairs: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(pairs).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
}

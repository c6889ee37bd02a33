import { StagecraftError } from '@stagecraft/spec'
import type { Address } from './address.ts'

/** A name or an address of IPv4, or one of IPv6 in brackets: what a URL takes as it is. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s/?#@\\:[\]%<>^|]+)$/i

/**
 * The URL of the server of an address, with the path `/`. Its host is always that of the address.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a host that a URL would read as something else.
 */
export function httpOrigin({ host, port }: Address, { isSecure }: { readonly isSecure: boolean }): URL {
  const url = HOST.test(host) ? URL.parse(`${isSecure ? 'https' : 'http'}://${host}:${port}/`) : undefined
  if (url) return url
  throw StagecraftError.invalid({ path: 'catalog', expected: 'the name of a host', received: 'another text' })
}

/** Returns true if an address asks for HTTPS: by `secure=true`, or by a port that is for it. */
export function isSecureAddress({ option, port }: Address): boolean {
  return option('secure') === undefined ? port === 443 || port === 8443 : option('secure') === 'true'
}

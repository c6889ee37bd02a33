import { StagecraftError } from '@stagecraft/spec'
import type { Address } from './address.ts'

/** Matches what a URL does not change: a name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s/?#@\\:[\]%<>^|]+)$/i

/**
 * Returns the URL of the server of an address, with the path `/`. Its host is always the host of the address.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a host that a URL would read as something else.
 */
export function httpOrigin({ host, port }: Address, { isSecure }: { readonly isSecure: boolean }): URL {
  const url = HOST.test(host) ? URL.parse(`${isSecure ? 'https' : 'http'}://${host}:${port}/`) : undefined
  if (url) return url
  throw StagecraftError.invalid({
    path: 'catalog',
    expected: 'the name of a host',
    received: 'something else',
  })
}

/** Returns true if an address uses HTTPS: with `secure=true`, or by default for the ports 443 and 8443. */
export function isSecureAddress({ option, port }: Address): boolean {
  return option('secure') === undefined ? port === 443 || port === 8443 : option('secure') === 'true'
}

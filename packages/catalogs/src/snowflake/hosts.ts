import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'

/** Returns true for the host of an account. */
export function isSnowflakeHost(host: string): boolean {
  return /\.snowflakecomputing\.(?:com|cn)$/i.test(host)
}

/**
 * Completes the host of an account: `myorg-me`, `xy12345.eu-central-1`, or a whole host. Hosts do not contain
 * underscores.
 */
export function accountHost({ host, option }: Pick<Address, 'host' | 'option'>): string {
  const isHost = isSnowflakeHost(host) || option('account') !== undefined
  return isHost ? host : `${host.replaceAll('_', '-')}.snowflakecomputing.com`
}

/** The domains of Okta's customers: https://developer.okta.com/docs/concepts/okta-organizations/ */
const OKTA = /^(?:[\w-]+\.)+(?:okta|oktapreview|okta-emea|okta-gov|trexcloud)\.com$/i

/** Returns true for a host in a domain of Okta, but not for a customer's own domain that points to it. */
export function isOktaHost(host: string): boolean {
  return OKTA.test(host)
}

/**
 * Returns the URL in `authenticator`, an Okta server that receives the password; undefined for other methods.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a URL without HTTPS, or with more than a host.
 */
export function oktaOf({ option }: Pick<Address, 'option'>): URL | undefined {
  const text = option('authenticator') ?? ''
  if (!text.includes(':')) return undefined
  const url = URL.parse(text)
  const isHost = url?.protocol === 'https:' && url.href === `${url.origin}/`
  if (isHost) return url
  throw StagecraftError.invalid({
    path: 'authenticator',
    expected: 'https://<name>.okta.com, an HTTPS host without a path',
    received: url && url.protocol !== 'https:' ? 'another protocol' : 'another address',
  })
}

/**
 * Returns the hosts that receive a secret of this address and belong neither to Snowflake or Okta nor to this
 * machine, so that only the author of the address vouches for them.
 */
export function chosenHosts(address: Pick<Address, 'host' | 'option'>): readonly string[] {
  const { host, option } = address
  const okta = oktaOf(address)?.hostname
  const isOwn = option('account') === undefined || isSnowflakeHost(host) || isThisMachine(host)
  return [...(isOwn ? [] : [host]), ...(okta === undefined || isOktaHost(okta) ? [] : [okta])]
}

export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(host)
}

import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'

/** Returns true for the host of an account. */
export function isSnowflakeHost(host: string): boolean {
  return /\.snowflakecomputing\.(?:com|cn)$/i.test(host)
}

/** The domains in which Okta gives its customers names: https://developer.okta.com/docs/concepts/okta-organizations/ */
const OKTA = /^(?:[\w-]+\.)+(?:okta|oktapreview|okta-emea|okta-gov|trexcloud)\.com$/i

/** Returns true for a host that is Okta's, and no name of somebody else's that leads to it. */
export function isOktaHost(host: string): boolean {
  return OKTA.test(host)
}

/**
 * The address of Okta that an authenticator is, which the password is sent to; undefined for another way to sign in.
 *
 * @throws {StagecraftError} INVALID_REQUEST for one without HTTPS, and for more than a host.
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
 * The hosts that get a secret of this address and are neither those of Snowflake and Okta nor this machine: the
 * author of the address chose them.
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

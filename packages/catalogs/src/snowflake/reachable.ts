import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'
import { CONNECT_SECONDS } from '../network/connection-failed.ts'
import { networkError } from '../network/http-json.ts'
import { httpOrigin } from '../network/http-origin.ts'
import { isOktaHost, oktaOf } from './hosts.ts'

/**
 * Ensures that the driver, which does not accept custom sockets, connects only to hosts that the caller's
 * `fetch` allows. It requests each host once with this `fetch`, and allows only names of Snowflake and Okta,
 * which nobody else can point to another address later.
 *
 * @throws the error of `fetch` for a host that it does not allow; INVALID_REQUEST for a name outside Okta's
 * domains.
 */
export async function assertReachable(address: Address, fetch: typeof globalThis.fetch): Promise<void> {
  const okta = oktaOf(address)
  if (okta && !isOktaHost(okta.hostname))
    throw StagecraftError.invalid({
      path: 'authenticator',
      expected: 'a host of okta.com, because connections are limited to certain networks here',
      received: okta.hostname,
    })
  for (const origin of [httpOrigin(address, { isSecure: true }), ...(okta ? [okta] : [])]) {
    const signal = AbortSignal.timeout(CONNECT_SECONDS * 1000)
    // the first page redirects browsers to another host
    const response = await fetch(origin, { redirect: 'manual', signal }).catch((error: unknown) => {
      throw networkError(error)
    })
    await response.body?.cancel()
  }
}

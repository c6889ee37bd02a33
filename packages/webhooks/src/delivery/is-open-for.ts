import { isIP } from 'node:net'
import { isLocalName } from '../endpoint/check-endpoint-url.ts'
import type { Rules } from '../endpoint/policy.ts'

/**
 * Returns the check for the addresses of a host. Local names may resolve only to addresses on the allow-list,
 * even if other names may resolve to any address.
 */
export function isOpenFor(host: string, rules: Rules): (address: string) => boolean {
  return isIP(host) === 0 && isLocalName(host) ? rules.isAllowListed : rules.isOpen
}

import { isIP } from 'node:net'
import { isLocalName } from '../endpoint/check-endpoint-url.ts'
import type { Rules } from '../endpoint/policy.ts'

/** Local names may only resolve to addresses of the allow-list, even where other names may resolve to any. */
export function isOpenFor(host: string, rules: Rules): (address: string) => boolean {
  return isIP(host) === 0 && isLocalName(host) ? rules.isAllowListed : rules.isOpen
}

import { isIP } from 'node:net'
import { isLocalName } from '../endpoint/check-endpoint-url.ts'
import type { Rules } from '../endpoint/policy.ts'

/** Local names lead to what the allow-list opens, also where others may lead anywhere. */
export function isOpenFor(host: string, rules: Rules): (address: string) => boolean {
  return isIP(host) === 0 && isLocalName(host) ? rules.isAllowListed : rules.isOpen
}

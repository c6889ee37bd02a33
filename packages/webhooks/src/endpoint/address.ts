import { isIPv4, isIPv6 } from 'node:net'
import {
  COMPATIBLE_IPV6,
  EMBEDDING_IPV6,
  GLOBAL_IPV6,
  METADATA_IPV4,
  METADATA_IPV6,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
} from './address-ranges.ts'
import { addressSet } from './cidr.ts'

const special = addressSet([...Object.keys(SPECIAL_IPV4), ...Object.keys(SPECIAL_IPV6)])
const global = addressSet([GLOBAL_IPV6])
const closed = addressSet(
  [METADATA_IPV4, METADATA_IPV6, EMBEDDING_IPV6].flatMap((ranges) => Object.keys(ranges)),
)
const compatible = addressSet([COMPATIBLE_IPV6])
const localIpv6 = addressSet(['::/128', '::1/128'])

/**
 * Returns true if an address is on the public internet. Returns false for text that is not an address, and
 * for an address with a zone. In IPv6, only the allocated unicast ranges are public.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false
  if (isIPv4(address)) return !special.has(address)
  return isIPv6(address) && global.has(address) && !special.has(address)
}

/** Returns true for an address that no allow-list opens: metadata services, and IPv6 with an embedded IPv4 address. */
export function isAlwaysClosed(address: string): boolean {
  return address.includes('%') || closed.has(address) || (compatible.has(address) && !localIpv6.has(address))
}

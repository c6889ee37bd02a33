import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * A set of ranges. IPv4 and IPv6 are separate, because a single `BlockList` finds IPv4 addresses in `::/0` and
 * `::ffff:0:0/96`.
 */
export interface AddressSet {
  readonly has: (address: string) => boolean
}

/** Returns true if a text is a range such as `10.0.0.0/8` or `fd00::/8`, without a zone (`%eth0`). */
export function isCidr(text: string): boolean {
  const [, address = '', bits = ''] = /^([^%/]+)\/(\d{1,3})$/.exec(text) ?? []
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128)
}

export function addressSet(cidrs: readonly string[]): AddressSet {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    lists[family].addSubnet(address, Number(bits), family)
  }
  return {
    has: (address) => {
      if (isIPv4(address)) return lists.ipv4.check(address, 'ipv4')
      return isIPv6(address) && lists.ipv6.check(address, 'ipv6')
    },
  }
}

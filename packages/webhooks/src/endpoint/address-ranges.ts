/**
 * Addresses that are not on the public internet: the special-purpose registries, and addresses of clouds inside
 * public ranges.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
export const SPECIAL_IPV4: Readonly<Record<string, string>> = {
  '0.0.0.0/8': 'this network',
  '10.0.0.0/8': 'private use',
  '100.64.0.0/10': 'carrier-grade NAT; metadata of Alibaba Cloud',
  '127.0.0.0/8': 'loopback',
  '168.63.129.16/32': 'wire server of Azure',
  '169.254.0.0/16': 'link-local; metadata of most clouds',
  '172.16.0.0/12': 'private use',
  '192.0.0.0/24': 'protocol assignments; metadata of Oracle Cloud',
  '192.0.2.0/24': 'documentation',
  '192.31.196.0/24': 'AS112',
  '192.52.193.0/24': 'AMT',
  '192.88.99.0/24': '6to4 relays',
  '192.168.0.0/16': 'private use',
  '192.175.48.0/24': 'AS112',
  '198.18.0.0/15': 'benchmarks',
  '198.51.100.0/24': 'documentation',
  '203.0.113.0/24': 'documentation',
  '224.0.0.0/4': 'multicast',
  '240.0.0.0/4': 'reserved; broadcast',
}

/** The allocated unicast range of IPv6; nothing outside it is public. */
export const GLOBAL_IPV6 = '2000::/3'

/**
 * The special ranges inside `GLOBAL_IPV6`.
 *
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export const SPECIAL_IPV6: Readonly<Record<string, string>> = {
  '2001::/23': 'protocol assignments: Teredo, ORCHID, DET, benchmarks, AMT, AS112',
  '2001:db8::/32': 'documentation',
  '2002::/16': '6to4',
  '2620:4f:8000::/48': 'AS112',
  '3fff::/20': 'documentation',
}

/**
 * The addresses that no allow-list opens, because they serve credentials of the machine.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 * @see https://cloud.google.com/compute/docs/metadata/querying-metadata
 */
export const METADATA_IPV4: Readonly<Record<string, string>> = {
  '100.100.100.200/32': 'Alibaba Cloud',
  '168.63.129.16/32': 'Azure',
  '169.254.0.0/16': 'AWS, Azure, Google Cloud, Tencent Cloud and others',
  '192.0.0.192/32': 'Oracle Cloud',
}

/** The same for IPv6. */
export const METADATA_IPV6: Readonly<Record<string, string>> = {
  'fd00:ec2::/32': 'AWS',
  'fd20:ce::/32': 'Google Cloud',
  'fe80::/10': 'link-local; OpenStack',
}

/** Ranges that embed IPv4 addresses. No allow-list opens them either: write the IPv4 address. */
export const EMBEDDING_IPV6: Readonly<Record<string, string>> = {
  '::ffff:0:0/96': 'IPv4-mapped',
  '::ffff:0:0:0/96': 'IPv4-translated',
  '64:ff9b::/96': 'NAT64',
  '64:ff9b:1::/48': 'local NAT64',
  '2001::/32': 'Teredo',
  '2002::/16': '6to4',
}

/** The IPv4-compatible addresses, which embed IPv4 addresses too and include `::` and `::1`. */
export const COMPATIBLE_IPV6 = '::/96'

import { type Fault, StagecraftError } from '@stagecraft/spec'
import { isAlwaysClosed, isPublicAddress } from './address.ts'
import { addressSet, isCidr } from './cidr.ts'
import { type Rules, readOwnAddresses, setOf } from './policy.ts'

/** Private ranges of companies, including `100.64.0.0/10`, which overlay networks use. */
const PRIVATE = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
const LOOPBACK = ['127.0.0.0/8', '::1/128']

const WORDS = ['public', 'private', 'machine']

/**
 * The networks that connections may reach: `public`, `private` (of companies), `machine` (loopback, and all addresses
 * of this machine), or a range such as `10.20.0.0/16`. Metadata services, link-local addresses and embedded addresses
 * stay forbidden.
 */
export type Networks = readonly string[]

/** The default includes this machine, because many warehouses are databases on the service's machine. */
export const DEFAULT_NETWORKS: Networks = ['public', 'private', 'machine']

/**
 * Creates the rules for connections.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text that is not a network.
 */
export function networkRules(
  networks: Networks = DEFAULT_NETWORKS,
  ownAddresses: () => readonly string[] = readOwnAddresses,
): Rules {
  assertNetworks(networks)
  const named = addressSet(networks.filter((text) => !WORDS.includes(text)))
  const isPrivate = addressSet(PRIVATE).has
  const isLoopback = addressSet(LOOPBACK).has
  const has = (word: string): boolean => networks.includes(word)
  const isOwn = (address: string): boolean => isLoopback(address) || setOf(ownAddresses()).has(address)
  /** Returns true for an address that is allowed by a range, or by `private` or `machine`. */
  const isAllowListed = (address: string): boolean => {
    if (isAlwaysClosed(address)) return false
    if (named.has(address)) return true
    return isOwn(address) ? has('machine') : has('private') && isPrivate(address)
  }
  return {
    policy: {},
    hasAllowList: true,
    isAllowListed,
    isOpen: (address) =>
      isAllowListed(address) || (has('public') && isPublicAddress(address) && !isOwn(address)),
  }
}

function assertNetworks(networks: Networks): void {
  const faults: readonly Fault[] = networks.flatMap((text, index) =>
    WORDS.includes(text) || isCidr(text)
      ? []
      : [
          {
            path: `networks.${index}`,
            expected: `one of ${WORDS.join(', ')}, or a range such as 10.20.0.0/16`,
            received: JSON.stringify(text),
          },
        ],
  )
  if (faults.length > 0) throw StagecraftError.invalid(faults)
}

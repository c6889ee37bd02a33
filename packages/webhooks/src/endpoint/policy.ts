import { networkInterfaces } from 'node:os'
import { type Fault, StagecraftError } from '@stagecraft/spec'
import { isAlwaysClosed, isPublicAddress } from './address.ts'
import { type AddressSet, addressSet, isCidr } from './cidr.ts'
import type { PortRange } from './ports.ts'

/** The policy for targets of deliveries. An empty policy is the strictest: `https:` to names with public addresses. */
export interface DeliveryPolicy {
  /**
   * Private ranges to allow: `['10.20.0.0/16']`. Metadata services stay forbidden. With a range here, local names
   * (`localhost`, `receiver`, `hooks.internal`) are looked up too, and must resolve into these ranges.
   *
   * @default [] no private target
   */
  readonly allowCidrs?: readonly string[]
  /** Public ranges to forbid, such as the addresses of the service itself. @default [] */
  readonly blockCidrs?: readonly string[]
  /** Allows `http:`, but only to targets in `allowCidrs`. @default false */
  readonly allowHttp?: boolean
  /**
   * Allows a public IP address in place of a name. Addresses in `allowCidrs` are always allowed.
   *
   * @default false
   */
  readonly allowLiterals?: boolean
  /** The allowed ports. @default 443 and 1024–65535 without the ports of other services; 80 for `http:` */
  readonly ports?: readonly PortRange[]
}

/** A parsed policy. */
export interface Rules {
  readonly policy: DeliveryPolicy
  readonly hasAllowList: boolean
  /** Returns true if an address is on the allow-list. */
  readonly isAllowListed: (address: string) => boolean
  /** Returns true if a connection may go to an address. */
  readonly isOpen: (address: string) => boolean
}

/** @throws {StagecraftError} INVALID_REQUEST for invalid ranges. */
export function rulesOf(
  policy: DeliveryPolicy,
  ownAddresses: () => readonly string[] = readOwnAddresses,
): Rules {
  const allowed = readRanges(policy.allowCidrs ?? [], 'allowCidrs')
  const blocked = readRanges(policy.blockCidrs ?? [], 'blockCidrs')
  const isAllowListed = (address: string): boolean =>
    allowed.has(address) && !isAlwaysClosed(address) && !blocked.has(address)
  return {
    policy,
    hasAllowList: (policy.allowCidrs ?? []).length > 0,
    isAllowListed,
    isOpen: (address) =>
      isAllowListed(address) ||
      (isPublicAddress(address) && !blocked.has(address) && !setOf(ownAddresses()).has(address)),
  }
}

function readRanges(cidrs: readonly string[], path: string): AddressSet {
  const faults: readonly Fault[] = cidrs.flatMap((cidr, index) =>
    isCidr(cidr)
      ? []
      : [
          {
            path: `${path}.${index}`,
            expected: 'a range such as 10.20.0.0/16',
            received: JSON.stringify(cidr),
          },
        ],
  )
  const [first] = faults
  if (first === undefined) return addressSet(cidrs)
  throw new StagecraftError(
    'INVALID_REQUEST',
    `${first.path}: expected ${first.expected}, got ${first.received}`,
    { details: { faults } },
  )
}

/**
 * Returns the addresses of this machine. Some may be public, but services there may trust local connections.
 */
export function readOwnAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).map(({ address }) => address),
  )
}

export function setOf(addresses: readonly string[]): AddressSet {
  const plain = addresses.map((address) => address.replace(/%.*$/, ''))
  return addressSet(plain.map((address) => `${address}/${address.includes(':') ? 128 : 32}`))
}

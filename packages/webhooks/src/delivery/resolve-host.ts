import { lookup as systemLookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { UnsafeAddress } from './unsafe-address.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Resolves to all addresses of a name; rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>

/**
 * Resolves names with the resolver of the system, which has a pool of four threads (`UV_THREADPOOL_SIZE`).
 * Slow name servers can fill the pool: a delivery still ends in time, but other lookups wait.
 */
export const lookupHost: Lookup = async (hostname) => await systemLookup(hostname, { all: true })

export type IsOpen = (address: string, hostname: string) => boolean

/**
 * Resolves a name whose addresses are all allowed. A name with one forbidden address is refused: it is internal, or
 * its answers change.
 *
 * @throws {UnsafeAddress}
 */
export async function resolveHost(
  hostname: string,
  { lookup, isOpen }: { readonly lookup: Lookup; readonly isOpen: IsOpen },
): Promise<readonly ResolvedAddress[]> {
  const addresses = await lookup(hostname)
  if (addresses.some(({ address }) => !isOpen(address, hostname))) throw new UnsafeAddress()
  if (addresses.length === 0) throw Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' })
  return addresses
}

/** Creates a lookup for sockets that returns only the checked addresses. */
export function pinnedLookup(lookup: Lookup, isOpen: IsOpen): LookupFunction {
  const resolve = callbackify(async (hostname: string) => await resolveHost(hostname, { lookup, isOpen }))
  return (hostname, options, callback) => {
    resolve(hostname, (error: NodeJS.ErrnoException | null, addresses?: readonly ResolvedAddress[]) => {
      const [first = { address: '', family: 0 }, ...others] = addresses ?? []
      if (error !== null) callback(error, [])
      else if (options.all === true) callback(null, [first, ...others])
      else callback(null, first.address, first.family)
    })
  }
}

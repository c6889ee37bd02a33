import { isIP, type LookupFunction, Socket } from 'node:net'
import { type Networks, networkRules } from '../endpoint/networks.ts'
import { fetchThrough } from './guarded-fetch.ts'
import { type IsOpen, type Lookup, lookupHost, pinnedLookup } from './resolve-host.ts'
import { UnsafeAddress } from './unsafe-address.ts'

/** The ways to reach a server whose address comes from a user. */
export interface GuardedNetwork {
  /** Sends requests; `http:` is allowed only to networks that are not public. Redirects are not followed. */
  readonly fetch: typeof fetch
  /** Creates a socket, which a driver connects with `connect(port, host)`. */
  readonly socket: () => Socket
}

export interface GuardedNetworkOptions {
  /** @default public, private, machine */
  readonly networks?: Networks | undefined
  /** Replaces the DNS of the system; its answers are checked too. */
  readonly lookup?: Lookup | undefined
}

/**
 * Creates a `fetch` and a socket factory that are limited to some networks. For each connection, a name is looked up
 * once, all of its addresses are checked, and the connection goes to one of those.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text that is not a network.
 */
export function guardedNetwork({
  lookup = lookupHost,
  networks,
}: GuardedNetworkOptions = {}): GuardedNetwork {
  const rules = networkRules(networks)
  return {
    fetch: fetchThrough(rules, lookup),
    socket: () => new GuardedSocket(rules.isOpen, lookup),
  }
}

/** A socket that drivers use like any other. */
class GuardedSocket extends Socket {
  readonly #isOpen: IsOpen
  readonly #lookup: LookupFunction

  constructor(isOpen: IsOpen, lookup: Lookup) {
    super()
    this.#isOpen = isOpen
    this.#lookup = pinnedLookup(lookup, isOpen)
  }

  /** Connects to a port of a host. Refuses paths, because they are local sockets. */
  override connect(...target: readonly unknown[]): this {
    const [port, host = 'localhost'] = target
    const isPlace = typeof host === 'string' && (typeof port === 'number' || /^\d+$/.test(String(port)))
    // Sockets do not look up IP addresses.
    const isClosed = typeof host === 'string' && isIP(host) !== 0 && !this.#isOpen(host, host)
    if (!isPlace || isClosed) return this.destroy(new UnsafeAddress())
    this.setNoDelay(true)
    this.setKeepAlive(true)
    return super.connect({ port: Number(port), host, lookup: this.#lookup })
  }
}

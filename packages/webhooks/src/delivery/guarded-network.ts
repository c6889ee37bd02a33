import { isIP, type LookupFunction, Socket } from 'node:net'
import { type Networks, networkRules } from '../endpoint/networks.ts'
import { fetchThrough } from './guarded-fetch.ts'
import { type IsOpen, type Lookup, lookupHost, pinnedLookup } from './resolve-host.ts'
import { UnsafeAddress } from './unsafe-address.ts'

/** The ways to a server whose address somebody else chose. */
export interface GuardedNetwork {
  /** Sends requests; `http:` only to networks that are not public. Redirects are not followed. */
  readonly fetch: typeof fetch
  /** Creates a socket for a driver, which connects it with `connect(port, host)`. */
  readonly socket: () => Socket
}

export interface GuardedNetworkOptions {
  /** @default public, private */
  readonly networks?: Networks | undefined
  /** Stands in for the DNS of the system; its answers are checked like any. */
  readonly lookup?: Lookup | undefined
}

/**
 * Creates the ways to servers that lead into some networks alone. A name is looked up once for each connection, all of its
 * addresses are checked, and the connection goes to one of them, whatever the name leads to by then.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text that is no network.
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

/** A socket that drivers connect as any other. */
class GuardedSocket extends Socket {
  readonly #isOpen: IsOpen
  readonly #lookup: LookupFunction

  constructor(isOpen: IsOpen, lookup: Lookup) {
    super()
    this.#isOpen = isOpen
    this.#lookup = pinnedLookup(lookup, isOpen)
  }

  /** Connects to a port of a host, and in no other way: sockets of this machine are files. */
  override connect(...target: readonly unknown[]): this {
    const [port, host = 'localhost'] = target
    const isPlace = typeof host === 'string' && (typeof port === 'number' || /^\d+$/.test(String(port)))
    // sockets do not look up an address
    const isClosed = typeof host === 'string' && isIP(host) !== 0 && !this.#isOpen(host, host)
    if (!isPlace || isClosed) return this.destroy(new UnsafeAddress())
    this.setNoDelay(true)
    this.setKeepAlive(true)
    return super.connect({ port: Number(port), host, lookup: this.#lookup })
  }
}

import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { hostOf } from '../endpoint/check-endpoint-url.ts'
import type { Rules } from '../endpoint/policy.ts'
import { isOpenFor } from './is-open-for.ts'
import { type IsOpen, type Lookup, pinnedLookup } from './resolve-host.ts'
import { UnsafeAddress } from './unsafe-address.ts'

/**
 * The same as the default limit of an attempt, because a shorter one would be a second limit for receivers to
 * know.
 */
const CONNECT_TIMEOUT_MS = 15_000

/**
 * Connects only to addresses that the rules allow. An address in the URL is checked here, because sockets do not look
 * it up. A name is looked up once, and the socket gets the checked addresses. The remote address is checked again
 * after connecting. The certificate is checked against the name.
 */
export function guardedConnector(rules: Rules, lookup: Lookup): buildConnector.connector {
  const connectors = {
    'https:': guard((address, host) => isOpenFor(host, rules)(address), lookup),
    'http:': guard(rules.isAllowListed, lookup),
  }
  return (options, callback) => {
    const connect = options.protocol === 'https:' ? connectors['https:'] : connectors['http:']
    connect(options, callback)
  }
}

function guard(isOpen: IsOpen, lookup: Lookup): buildConnector.connector {
  const connect = buildConnector({
    lookup: pinnedLookup(lookup, (address, hostname) => isOpen(address, hostOf({ hostname }))),
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
  })
  return (options, callback) => {
    const host = hostOf(options)
    if (isIP(host) !== 0 && !isOpen(host, host)) {
      callback(new UnsafeAddress(), null)
      return
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null)
      } else if (isOpen(socket.remoteAddress ?? '', host)) {
        callback(null, socket)
      } else {
        socket.destroy()
        callback(new UnsafeAddress(), null)
      }
    })
  }
}

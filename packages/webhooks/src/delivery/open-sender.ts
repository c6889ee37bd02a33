import { Agent, type Dispatcher, request } from 'undici'
import type { Rules } from '../endpoint/policy.ts'
import { guardedConnector } from './guarded-connector.ts'
import type { Lookup } from './resolve-host.ts'

export interface SenderOptions {
  readonly rules: Rules
  readonly lookup: Lookup
  readonly connectionsPerOrigin: number
}

/** The connection that requests go through. */
export interface Sender {
  readonly dispatcher: Dispatcher
  readonly request: typeof request
}

const LARGEST_HEADERS_BYTES = 16 * 1024
const KEEP_ALIVE_MS = 4000

/** Apart, so that its library is loaded for the first delivery and not before: it takes twelve megabytes. */
export function openSender({ connectionsPerOrigin, lookup, rules }: SenderOptions): Sender {
  const dispatcher = new Agent({
    connect: guardedConnector(rules, lookup),
    connections: connectionsPerOrigin,
    pipelining: 1,
    maxHeaderSize: LARGEST_HEADERS_BYTES,
    // The deadline of the attempt is the one that receivers are told of; none of undici's comes before it.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  })
  return { dispatcher, request }
}

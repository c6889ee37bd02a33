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

/**
 * Opens a sender. This is a separate module so that undici (12 MB of memory) is loaded only with the first
 * delivery.
 */
export function openSender({ connectionsPerOrigin, lookup, rules }: SenderOptions): Sender {
  const dispatcher = new Agent({
    connect: guardedConnector(rules, lookup),
    connections: connectionsPerOrigin,
    pipelining: 1,
    maxHeaderSize: LARGEST_HEADERS_BYTES,
    // Only the documented deadline of the attempt applies; undici's own limits are off.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  })
  return { dispatcher, request }
}

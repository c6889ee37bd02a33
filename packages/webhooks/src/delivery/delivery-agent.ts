import { Agent, type Dispatcher } from 'undici'
import { type DeliveryPolicy, type Rules, rulesOf } from '../endpoint/policy.ts'
import { guardedConnector } from './guarded-connector.ts'
import { type Lookup, lookupHost } from './resolve-host.ts'

export interface DeliveryAgentOptions {
  /** Stands in for the DNS of the system; its answers are checked like any. */
  readonly lookup?: Lookup
  /** How many sockets one receiver gets; more attempts wait, within their time. @default 32 */
  readonly connectionsPerOrigin?: number
}

/** Keeps connections to receivers open for the next delivery, a few seconds at most. */
export interface DeliveryAgent {
  /** Ends all connections, and with them all attempts that are under way. */
  readonly close: () => Promise<void>
}

/** What an agent is made of. Not on the agent: nobody else is to send through it, or past its rules. */
interface Parts {
  readonly dispatcher: Dispatcher
  readonly rules: Rules
}

const parts = new WeakMap<DeliveryAgent, Parts>()

const LARGEST_HEADERS_BYTES = 16 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 4000

/**
 * The way of many deliveries under one policy. The environment's proxies are not used: behind one, the
 * addresses could not be checked.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a policy with ranges that are none.
 */
export function createDeliveryAgent(
  policy: DeliveryPolicy = {},
  { lookup = lookupHost, connectionsPerOrigin = 32 }: DeliveryAgentOptions = {},
): DeliveryAgent {
  const rules = rulesOf(policy)
  const dispatcher = new Agent({
    connect: guardedConnector(rules, lookup),
    connections: connectionsPerOrigin,
    pipelining: 1,
    maxHeaderSize: LARGEST_HEADERS_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  })
  const agent: DeliveryAgent = { close: async () => await dispatcher.destroy() }
  parts.set(agent, { dispatcher, rules })
  return agent
}

/** @throws {TypeError} For an object that `createDeliveryAgent()` did not make. */
export function partsOf(agent: DeliveryAgent): Parts {
  const found = parts.get(agent)
  if (found === undefined) throw new TypeError('expected an agent of createDeliveryAgent()')
  return found
}

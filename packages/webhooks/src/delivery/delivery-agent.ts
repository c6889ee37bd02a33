import { type DeliveryPolicy, type Rules, rulesOf } from '../endpoint/policy.ts'
import type { Sender } from './open-sender.ts'
import { type Lookup, lookupHost } from './resolve-host.ts'

export interface DeliveryAgentOptions {
  /** Stands in for the DNS of the system; its answers are checked like any. */
  readonly lookup?: Lookup
  /** The most sockets to one receiver; further attempts wait, within their time limit. @default 32 */
  readonly connectionsPerOrigin?: number
}

/** Keeps connections to receivers open for the next delivery, a few seconds at most. */
export interface DeliveryAgent {
  /** Ends all connections, and with them all attempts that are under way. */
  readonly close: () => Promise<void>
}

/**
 * The parts of an agent. They are kept off the agent, so that nothing else sends through it or past its
 * rules.
 */
interface Parts {
  readonly open: () => Promise<Sender>
  readonly rules: Rules
}

const parts = new WeakMap<DeliveryAgent, Parts>()

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
  let sender: Promise<Sender> | undefined
  const open = (): Promise<Sender> => {
    sender ??= import('./open-sender.ts').then(({ openSender }) =>
      openSender({ rules, lookup, connectionsPerOrigin }),
    )
    return sender
  }
  const agent: DeliveryAgent = { close: async () => await (await sender)?.dispatcher.destroy() }
  parts.set(agent, { open, rules })
  return agent
}

/** @throws {TypeError} For an object that `createDeliveryAgent()` did not make. */
export function partsOf(agent: DeliveryAgent): Parts {
  const found = parts.get(agent)
  if (found === undefined) throw new TypeError('expected an agent of createDeliveryAgent()')
  return found
}

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
 * The parts of an agent. They are private, so that nothing else sends through it or past its
 * rules.
 */
interface Parts {
  readonly open: () => Promise<Sender>
  readonly rules: Rules
}

class Agent implements DeliveryAgent {
  readonly #parts: Parts
  #sender: Promise<Sender> | undefined

  constructor(rules: Rules, { lookup = lookupHost, connectionsPerOrigin = 32 }: DeliveryAgentOptions) {
    const open = (): Promise<Sender> => {
      this.#sender ??= import('./open-sender.ts').then(({ openSender }) =>
        openSender({ rules, lookup, connectionsPerOrigin }),
      )
      return this.#sender
    }
    this.#parts = { open, rules }
  }

  readonly close = async (): Promise<void> => {
    await (await this.#sender)?.dispatcher.destroy()
  }

  static partsOf(agent: DeliveryAgent): Parts {
    if (!(#parts in agent)) throw new TypeError('expected an agent of createDeliveryAgent()')
    return agent.#parts
  }
}

/**
 * The way of many deliveries under one policy. The environment's proxies are not used: behind one, the
 * addresses could not be checked.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a policy with invalid ranges.
 */
export function createDeliveryAgent(
  policy: DeliveryPolicy = {},
  options: DeliveryAgentOptions = {},
): DeliveryAgent {
  return new Agent(rulesOf(policy), options)
}

/** @throws {TypeError} For an object that `createDeliveryAgent()` did not make. */
export function partsOf(agent: DeliveryAgent): Parts {
  return Agent.partsOf(agent)
}

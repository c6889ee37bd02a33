import { type DeliveryPolicy, type Rules, rulesOf } from '../endpoint/policy.ts'
import type { Sender } from './open-sender.ts'
import { type Lookup, lookupHost } from './resolve-host.ts'

export interface DeliveryAgentOptions {
  /** Replaces the DNS of the system; its answers are checked too. */
  readonly lookup?: Lookup
  /** The maximum number of sockets to one receiver; further attempts wait within their time limit. @default 32 */
  readonly connectionsPerOrigin?: number
}

/** Keeps connections to receivers open for a few seconds, for the next delivery. */
export interface DeliveryAgent {
  /** Closes all connections and ends the attempts in progress. */
  readonly close: () => Promise<void>
}

/** The parts of an agent. They are private, so nothing else can send through it or bypass its rules. */
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
 * Creates an agent for many deliveries under one policy. Proxies of the environment are ignored, because addresses
 * cannot be checked behind a proxy.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a policy with invalid ranges.
 */
export function createDeliveryAgent(
  policy: DeliveryPolicy = {},
  options: DeliveryAgentOptions = {},
): DeliveryAgent {
  return new Agent(rulesOf(policy), options)
}

/** @throws {TypeError} If the object was not made by `createDeliveryAgent()`. */
export function partsOf(agent: DeliveryAgent): Parts {
  return Agent.partsOf(agent)
}

import { type DeliveryPolicy, type Rules, rulesOf } from '../endpoint/policy.ts'
import type { Sender } from './open-sender.ts'
import { type Lookup, lookupHost } from './resolve-host.ts'

const CONNECTIONS = 8

/**
 * Creates a `fetch` that connects as deliveries do: only to addresses that a policy allows, checked at each
 * connection. For APIs whose address comes from a user. Redirects are not followed.
 */
export function guardedFetch(policy: DeliveryPolicy = {}): typeof fetch {
  return fetchThrough(rulesOf(policy), lookupHost)
}

/** Creates a `fetch` that connects only to addresses that the rules allow. */
export function fetchThrough(rules: Rules, lookup: Lookup): typeof fetch {
  let sender: Promise<Sender> | undefined
  return async (input, init) => {
    sender ??= import('./open-sender.ts').then(({ openSender: open }) =>
      open({ rules, lookup, connectionsPerOrigin: CONNECTIONS }),
    )
    const { dispatcher } = await sender
    const guarded: RequestInit = { ...init, redirect: 'manual' }
    // Node's own fetch takes a dispatcher with types of another undici version
    Reflect.set(guarded, 'dispatcher', dispatcher)
    return fetch(input, guarded)
  }
}

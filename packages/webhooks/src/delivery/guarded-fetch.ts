import { type DeliveryPolicy, type Rules, rulesOf } from '../endpoint/policy.ts'
import type { Sender } from './open-sender.ts'
import { type Lookup, lookupHost } from './resolve-host.ts'

const CONNECTIONS = 8

/**
 * Creates a `fetch` that connects as deliveries do: only to addresses that a policy opens, whatever their names lead to by
 * then. For APIs whose address somebody else chose. Redirects are not followed.
 */
export function guardedFetch(policy: DeliveryPolicy = {}): typeof fetch {
  return fetchThrough(rulesOf(policy), lookupHost)
}

/** A `fetch` that connects to addresses which the rules open. */
export function fetchThrough(rules: Rules, lookup: Lookup): typeof fetch {
  let sender: Promise<Sender> | undefined
  return async (input, init) => {
    sender ??= import('./open-sender.ts').then(({ openSender: open }) =>
      open({ rules, lookup, connectionsPerOrigin: CONNECTIONS }),
    )
    const { dispatcher } = await sender
    const guarded: RequestInit = { ...init, redirect: 'manual' }
    // Node's own fetch takes the dispatcher of its library, whose types are of another version
    Reflect.set(guarded, 'dispatcher', dispatcher)
    return fetch(input, guarded)
  }
}

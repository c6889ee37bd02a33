import { type DeliveryPolicy, type Rules, rulesOf } from '../endpoint/policy.ts'
import type { Sender } from './open-sender.ts'
import { type Lookup, lookupHost } from './resolve-host.ts'

const CONNECTIONS = 8

/**
 * Creates a `fetch` for APIs whose address comes from a user. Like a delivery, it connects only to addresses
 * that a policy allows, and does not follow redirects. Each connection is checked.
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
    // The types of Node's `fetch` come from another version of undici.
    Reflect.set(guarded, 'dispatcher', dispatcher)
    return fetch(input, guarded)
  }
}

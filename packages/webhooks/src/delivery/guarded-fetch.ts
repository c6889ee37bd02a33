import { type DeliveryPolicy, rulesOf } from '../endpoint/policy.ts'
import type { Sender } from './open-sender.ts'
import { lookupHost } from './resolve-host.ts'

const CONNECTIONS = 8

/**
 * Creates a `fetch` that connects as deliveries do: only to addresses that a policy opens, whatever their names lead to by
 * then. For APIs whose address somebody else chose. Redirects are not followed.
 */
export function guardedFetch(policy: DeliveryPolicy = {}): typeof fetch {
  const rules = rulesOf(policy)
  let sender: Promise<Sender> | undefined
  return async (input, init) => {
    sender ??= import('./open-sender.ts').then(({ openSender: open }) =>
      open({ rules, lookup: lookupHost, connectionsPerOrigin: CONNECTIONS }),
    )
    const { dispatcher } = await sender
    const guarded: RequestInit = { ...init, redirect: 'manual' }
    // Node's own fetch takes the dispatcher of its library, whose types are of another version
    Reflect.set(guarded, 'dispatcher', dispatcher)
    return fetch(input, guarded)
  }
}

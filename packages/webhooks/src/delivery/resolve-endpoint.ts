import { isIP } from 'node:net'
import { checkWithRules, hostOf } from '../endpoint/check-endpoint-url.ts'
import { type DeliveryPolicy, rulesOf } from '../endpoint/policy.ts'
import { withDeadline } from './deadline.ts'
import { isOpenFor } from './is-open-for.ts'
import { type Lookup, lookupHost, resolveHost } from './resolve-host.ts'
import { UnsafeAddress } from './unsafe-address.ts'

export interface ResolveEndpointOptions {
  /** The targets that are allowed. */
  readonly policy: DeliveryPolicy
  /** Replaces the DNS of the system. */
  readonly lookup?: Lookup
  /** Stops the lookup. */
  readonly signal?: AbortSignal
  /** @default 5000 */
  readonly timeoutMs?: number
}

/** `unresolvable` means that the DNS did not answer or does not know the name; a later delivery may still succeed. */
export type EndpointResolution = 'ok' | 'unsafe' | 'unresolvable'

/**
 * Looks up the addresses of a receiver's URL, as a hint for the user who enters it. It is not a protection: names
 * change, and every delivery checks again.
 */
export async function resolveEndpoint(
  url: string,
  { policy, lookup = lookupHost, signal, timeoutMs = 5000 }: ResolveEndpointOptions,
): Promise<EndpointResolution> {
  const rules = rulesOf(policy)
  const check = checkWithRules(url, rules)
  if (!check.ok) return 'unsafe'
  const { hostname, protocol } = new URL(check.href)
  const host = hostOf({ hostname })
  if (isIP(host) !== 0) return 'ok'
  const isOpen = protocol === 'https:' ? isOpenFor(host, rules) : rules.isAllowListed
  try {
    await withDeadline(async () => await resolveHost(hostname, { lookup, isOpen }), { timeoutMs, signal })
    return 'ok'
  } catch (error) {
    return error instanceof UnsafeAddress ? 'unsafe' : 'unresolvable'
  }
}

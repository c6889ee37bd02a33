import type { HealthSign } from '../rules/endpoint-health.ts'
import { SECRET_REFUSED, type SentDelivery } from '../send-claimed.ts'

/** Failures that say nothing of the receiver. */
const NOT_ITS_FAULT: ReadonlySet<string | undefined> = new Set(['aborted', 'unsendable', SECRET_REFUSED])

/** Returns the health sign of an attempt. Tests give none, since they are sent whatever its state. */
export function healthSign({ delivery, result }: SentDelivery): HealthSign {
  const { isProbe, trigger } = delivery
  return { kind: kindOf(), isProbe, status: result.status, retryAfterMs: result.retryAfterMs }

  function kindOf(): HealthSign['kind'] {
    if (trigger === 'test') return 'none'
    if (result.outcome === 'gone' || result.directive === 'disable') return 'refused'
    if (result.outcome === 'delivered') return 'success'
    return NOT_ITS_FAULT.has(result.failure) || result.directive !== undefined ? 'none' : 'failure'
  }
}

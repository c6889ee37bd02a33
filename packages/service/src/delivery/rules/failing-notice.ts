import type { DeliveryRules } from './delivery-rules.ts'

interface Failing {
  readonly consecutive_failures: number
  readonly failing_since: number
}

/** Returns the notice for a webhook that is about to be disabled; undefined while that is far off. */
export function failingNotice(
  { consecutive_failures: failures, failing_since: since }: Failing,
  { now, rules }: { readonly rules: DeliveryRules; readonly now: number },
): string | undefined {
  const { afterMs, attempts, notices } = rules.disable
  const way = Math.min((now - since) / afterMs, failures / attempts)
  const reached = notices.findLast((part) => way >= part)
  if (reached === undefined) return undefined
  const until = new Date(since + afterMs).toISOString()
  return `no delivery has arrived since ${new Date(since).toISOString()}; it is disabled at ${until} if none does (${Math.round(reached * 100)} %)`
}

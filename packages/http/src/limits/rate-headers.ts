import type { RatePolicy, RateState } from '../ports/rate-limiter.ts'

/** The fields of https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/11/. */
export function rateHeaders(
  { requests, seconds }: RatePolicy,
  { remaining, resetSeconds }: RateState,
): Readonly<Record<string, string>> {
  return {
    'ratelimit-policy': `"default";q=${requests};w=${seconds}`,
    ratelimit: `"default";r=${remaining};t=${Math.ceil(resetSeconds)}`,
  }
}

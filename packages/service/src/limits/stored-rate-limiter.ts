import { StagecraftError } from '@stagecraft/spec'
import { sql } from 'kysely'
import type { ServiceContext } from '../context.ts'

export interface StoredRateLimiterOptions {
  /** The requests that a full quota allows at once. */
  readonly requests: number
  /** The seconds in which a used-up quota is fully restored. */
  readonly seconds: number
}

/** The rounding error of sums of fractions, in milliseconds. */
const GRAIN = 0.01

/**
 * Counts requests for all processes of a store, by the generic cell rate algorithm. It keeps one number for each key,
 * the time at which its quota is full again. One statement for each request.
 */
export function storedRateLimiter(
  { store }: Pick<ServiceContext, 'store'>,
  { requests, seconds }: StoredRateLimiterOptions,
) {
  if (!(Number.isInteger(requests) && requests > 0 && Number.isInteger(seconds) && seconds > 0)) {
    const expected = 'whole numbers above 0 for requests and seconds'
    throw new StagecraftError('INVALID_REQUEST', `rate limit: expected ${expected}`)
  }
  const quota = seconds * 1000
  const interval = quota / requests
  const latest = store.engine === 'sqlite' ? sql`max` : sql`greatest`
  return {
    policy: { requests, seconds },
    async take(holderId: string) {
      const now = sql<number>`cast(${store.nowMs()} as double precision)`
      const taken = await sql<{ whole_at: number; now: number }>`
        insert into rate_limits (holder_id, whole_at) values (${holderId}, ${now} + ${interval})
        on conflict (holder_id) do update set whole_at = ${latest}(rate_limits.whole_at, ${now}) + ${interval}
        where ${latest}(rate_limits.whole_at, ${now}) + ${interval} <= ${now} + ${quota + GRAIN}
        returning whole_at, ${now} as now
      `.execute(store.db)
      const [allowed] = taken.rows
      if (allowed) return stateOf(true, allowed, { quota, interval })
      const refused = await sql<{ whole_at: number; now: number }>`
        select whole_at, ${now} as now from rate_limits where holder_id = ${holderId}
      `.execute(store.db)
      return stateOf(false, refused.rows[0] ?? { whole_at: 0, now: 0 }, { quota, interval })
    },
  }
}

interface Reading {
  readonly whole_at: number
  readonly now: number
}

interface Rate {
  readonly quota: number
  readonly interval: number
}

function stateOf(allowed: boolean, { now, whole_at }: Reading, { interval, quota }: Rate) {
  const used = Math.max(0, whole_at - now)
  return {
    allowed,
    remaining: Math.max(0, Math.floor((quota - used + GRAIN) / interval)),
    resetSeconds: toSeconds(used),
    retrySeconds: allowed ? 0 : toSeconds(used + interval - quota),
  }
}

/** Rounds up to whole milliseconds. */
function toSeconds(milliseconds: number): number {
  return Math.max(0, Math.ceil(milliseconds - GRAIN)) / 1000
}

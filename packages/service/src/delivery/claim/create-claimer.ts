import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Store } from '../../store/store.ts'
import { type ClaimedDelivery, runOn } from '../send-claimed.ts'
import { findDue, readyAfter, readyAmong, type ReadyEndpoint } from './due-webhooks.ts'
import { shareSlots } from './share-slots.ts'
import { takeFromPostgres, takeFromSqlite, type TakenRow } from './take-deliveries.ts'

export interface ClaimerOptions {
  /** Names the process, for people who look into the table. */
  readonly worker: string
  readonly leaseMs: number
}

interface Claim {
  readonly deliveries: readonly ClaimedDelivery[]
  /** True if more were due than there were slots. */
  readonly isCut: boolean
}

export interface Claimer {
  /** Takes as many due deliveries as there are slots, from as many webhooks as there are. */
  claim(slots: number): Promise<Claim>
}

interface Candidates {
  readonly endpoints: readonly ReadyEndpoint[]
  /** Returns the most deliveries of a webhook that may be due. */
  readonly due: (id: string) => number
}

/** Claims go round the webhooks: each begins after the last one that the claim before served. */
export function createClaimer(store: Store, { leaseMs, worker }: ClaimerOptions): Claimer {
  let last = ''
  const candidates = async (slots: number): Promise<Candidates> => {
    const { counts, isCut } = await findDue(store)
    if (counts.size === 0) return { endpoints: [], due: () => 0 }
    if (!isCut) {
      const endpoints = await readyAmong(store, [...counts.keys()])
      return { endpoints: rotate(endpoints, last), due: (id) => counts.get(id) ?? 0 }
    }
    const after = await readyAfter(store, { id: last, limit: slots })
    const before =
      after.length < slots ? await readyAfter(store, { id: '', limit: slots - after.length }) : []
    const known = new Set(after.map(({ id }) => id))
    return { endpoints: [...after, ...before.filter(({ id }) => !known.has(id))], due: () => slots }
  }
  return {
    async claim(slots) {
      const { due, endpoints } = await candidates(slots)
      const wishes = endpoints.map((endpoint) => ({
        id: endpoint.id,
        wanted: Math.min(due(endpoint.id), roomOf(endpoint)),
      }))
      const shares = new Map(shareSlots(wishes, slots))
      if (shares.size === 0) return { deliveries: [], isCut: false }
      const isCut = endpoints.some(({ id }) => due(id) > (shares.get(id) ?? 0))
      last = [...shares.keys()].at(-1) ?? ''
      const probes = endpoints.filter(({ breaker_until, id }) => breaker_until !== null && shares.has(id))
      const won = await takeProbes(store, probes, leaseMs)
      for (const { id } of probes) if (!won.has(id)) shares.delete(id)
      const leaseOwner = `${worker}:${randomUUID()}`
      const take = store.engine === 'postgres' ? takeFromPostgres : takeFromSqlite
      const rows = shares.size === 0 ? [] : await take(store, { shares, leaseMs, leaseOwner })
      const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
      return { deliveries: rows.flatMap((row) => claimed(row, byId, leaseOwner)), isCut }
    },
  }
}

function rotate(endpoints: readonly ReadyEndpoint[], last: string): readonly ReadyEndpoint[] {
  const [before = [], after = []] = [true, false].map((isBefore) =>
    endpoints.filter(({ id }) => id <= last === isBefore),
  )
  return [...after, ...before]
}

/** Of an open breaker whose time is over, one delivery finds out how the receiver is. */
function roomOf({ breaker_until, in_flight, window_size }: ReadyEndpoint): number {
  return Math.max(0, (breaker_until === null ? window_size : 1) - in_flight)
}

/** Makes each breaker's probe ours, by keeping it open for as long as we may take; another process sees that. */
async function takeProbes(
  store: Store,
  probes: readonly ReadyEndpoint[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  if (probes.length === 0) return new Set()
  const rows = await store.db
    .updateTable('webhooks')
    .set({ breaker_until: sql<number>`${store.nowMs()} + ${leaseMs}` })
    .where(
      'id',
      'in',
      probes.map(({ id }) => id),
    )
    .where('breaker_until', '<=', store.nowMs())
    .returning('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

function claimed(
  row: TakenRow,
  endpoints: ReadonlyMap<string, ReadyEndpoint>,
  leaseOwner: string,
): readonly ClaimedDelivery[] {
  const endpoint = endpoints.get(row.webhook_id)
  return endpoint === undefined
    ? []
    : [toClaimed(row, { endpoint, leaseOwner, isProbe: endpoint.breaker_until !== null })]
}

export function toClaimed(
  row: TakenRow,
  rest: Pick<ClaimedDelivery, 'endpoint' | 'leaseOwner' | 'isProbe'>,
): ClaimedDelivery {
  return {
    ...rest,
    id: row.id,
    eventId: row.event_id,
    trigger: row.trigger,
    attempt: row.attempts,
    createdAt: row.created_at,
    lastFailure: row.last_failure,
    payload: row.payload,
    clock: runOn(row.now),
  }
}

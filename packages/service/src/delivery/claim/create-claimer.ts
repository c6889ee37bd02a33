import { type RawBuilder, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { WebhookRow } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { type ClaimedDelivery, type Endpoint, runOn } from '../send-claimed.ts'
import { type ClaimedRow, takeFromPostgres, takeFromSqlite } from './take-deliveries.ts'

interface DueWebhooks {
  /** The number of due deliveries of each webhook among the examined ones. */
  readonly counts: ReadonlyMap<string, number>
  /** True if deliveries of other webhooks may be hidden behind older ones. */
  readonly isCut: boolean
}

const LOOKED_AT = 512

/** Finds the webhooks of the deliveries that have been due longest. */
async function findDue(store: Store): Promise<DueWebhooks> {
  const { rows } = await sql<{ webhook_id: string; due: number }>`
    select webhook_id, count(*) as due from (
      select webhook_id from deliveries where state = 'pending' and next_at <= ${store.nowOnce()}
      order by next_at limit ${sql.lit(LOOKED_AT)}
    ) as oldest group by webhook_id`.execute(store.db)
  const counts = new Map(rows.map(({ due, webhook_id }) => [webhook_id, due]))
  return { counts, isCut: rows.reduce((sum, { due }) => sum + due, 0) >= LOOKED_AT }
}

/** A webhook that accepts deliveries now. */
type ReadyEndpoint = Endpoint &
  Pick<WebhookRow, 'window_size' | 'breaker_until'> & {
    /** The number of its deliveries under way in all processes. */
    readonly in_flight: number
  }

/** Returns those of the named webhooks that accept deliveries now. */
async function readyAmong(store: Store, ids: readonly string[]): Promise<readonly ReadyEndpoint[]> {
  return await read(store, sql`id in (${sql.join(ids)}) order by id`)
}

/** Returns webhooks that accept deliveries now and have due ones, ordered by id. */
async function readyAfter(
  store: Store,
  { id, limit }: { readonly id: string; readonly limit: number },
): Promise<readonly ReadyEndpoint[]> {
  // The earliest one is the first entry of an index. A test for any due delivery would search all of them.
  const earliest = sql`(select min(next_at) from deliveries where webhook_id = webhooks.id and state = 'pending')`
  return await read(store, sql`id > ${id} and ${earliest} <= ${store.nowOnce()} order by id limit ${limit}`)
}

async function read(store: Store, condition: RawBuilder<unknown>): Promise<readonly ReadyEndpoint[]> {
  const { rows } = await sql<ReadyEndpoint>`
    select id, url, secret, previous_secret, previous_secret_expires_at, headers, window_size, breaker_until,
      (select count(*) from deliveries where webhook_id = webhooks.id and state = 'sending') as in_flight
    from webhooks
    where state = 'active' and (breaker_until is null or breaker_until <= ${store.nowOnce()}) and ${condition}`.execute(
    store.db,
  )
  return rows
}

/** A request for slots, with its maximum. */
interface Wish {
  readonly id: string
  readonly wanted: number
}

/** Shares free slots round-robin until none is free or none is requested. */
export function shareSlots(wishes: readonly Wish[], free: number): ReadonlyMap<string, number> {
  const shares = new Map<string, number>()
  let left = free
  let open = wishes.filter(({ wanted }) => wanted > 0)
  while (left > 0 && open.length > 0) {
    for (const { id } of open.slice(0, left)) shares.set(id, (shares.get(id) ?? 0) + 1)
    left -= Math.min(left, open.length)
    open = open.filter(({ id, wanted }) => (shares.get(id) ?? 0) < wanted)
  }
  return shares
}

interface ClaimerOptions {
  /** Names the process, for people who look into the table. */
  readonly worker: string
  readonly leaseMs: number
}

interface Claim {
  readonly deliveries: readonly ClaimedDelivery[]
  /** True if more deliveries were due than there were slots. */
  readonly isCut: boolean
}

interface Claimer {
  /** Claims as many due deliveries as there are slots, from as many webhooks as possible. */
  claim(slots: number): Promise<Claim>
}

interface Candidates {
  readonly endpoints: readonly ReadyEndpoint[]
  /** Returns the maximum number of deliveries of a webhook that may be due. */
  readonly due: (id: string) => number
}

/** Claims rotate over the webhooks: each starts after the last webhook of the previous claim. */
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

/** Limits an open breaker whose time is over to one delivery, the probe. */
function roomOf({ breaker_until, in_flight, window_size }: ReadyEndpoint): number {
  return Math.max(0, (breaker_until === null ? window_size : 1) - in_flight)
}

/** Reserves each breaker's probe by keeping it open for the longest attempt. Other processes see that. */
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
  row: ClaimedRow,
  endpoints: ReadonlyMap<string, ReadyEndpoint>,
  leaseOwner: string,
): readonly ClaimedDelivery[] {
  const endpoint = endpoints.get(row.webhook_id)
  return endpoint === undefined
    ? []
    : [toClaimed(row, { endpoint, leaseOwner, isProbe: endpoint.breaker_until !== null })]
}

export function toClaimed(
  row: ClaimedRow,
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

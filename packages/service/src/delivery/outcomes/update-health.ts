import { sql, type Transaction } from 'kysely'
import type { Database } from '../../store/schema.ts'
import type { Engine } from '../../store/store.ts'
import { jsonRows } from '../json-rows.ts'
import { afterAttempt, type EndpointHealth, type HealthEvidence } from '../rules/endpoint-health.ts'
import type { DeliveryRules } from '../rules/delivery-rules.ts'
import { SECRET_REFUSED, type SentDelivery } from '../send-claimed.ts'

export interface HealthOptions {
  readonly engine: Engine
  readonly rules: DeliveryRules
  readonly now: number
}

type HealthRow = EndpointHealth & { readonly id: string }

/** The change of a webhook after some attempts. */
export interface HealthChange {
  readonly before: HealthRow
  readonly after: HealthRow
}

const COLUMNS = [
  'id',
  'state',
  'notice',
  'consecutive_failures',
  'failing_since',
  'last_success_at',
  'breaker_until',
  'breaker_opens',
  'window_size',
] as const satisfies readonly (keyof HealthRow)[]

/** The precision of the last success: writing the row for each delivery would slow all of them down. */
const SUCCESS_MS = 1000

/** Writes what attempts say of their receivers, where it says anything new. Deleted webhooks are not in the result. */
export async function updateHealth(
  transaction: Transaction<Database>,
  batch: readonly SentDelivery[],
  options: HealthOptions,
): Promise<ReadonlyMap<string, HealthChange>> {
  const sent = Map.groupBy(batch, ({ delivery }) => delivery.endpoint.id)
  const fold = (before: HealthRow): HealthChange => {
    const evidence = (sent.get(before.id) ?? []).map(healthEvidence)
    const after = evidence.reduce<EndpointHealth>((health, one) => afterAttempt(health, one, options), before)
    return { before, after: { ...after, id: before.id } }
  }
  const changes = new Map<string, HealthChange>()
  for (const row of await read(transaction, [...sent.keys()])) changes.set(row.id, fold(row))
  const changed = [...changes.values()].filter(isNews).map(({ before }) => before.id)
  if (changed.length === 0) return changes
  // Read again under a lock, which is only taken where it is needed: in the order of ids, and before deliveries.
  for (const row of await read(transaction, changed, options.engine)) changes.set(row.id, fold(row))
  const rows = changed.flatMap((id) => changes.get(id)?.after ?? [])
  await write(transaction, rows, options)
  return changes
}

async function read(
  transaction: Transaction<Database>,
  ids: readonly string[],
  lock?: Engine,
): Promise<readonly HealthRow[]> {
  return await transaction
    .selectFrom('webhooks')
    .select(COLUMNS)
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(lock === 'postgres', (query) => query.forNoKeyUpdate())
    .execute()
}

function isNews({ after, before }: HealthChange): boolean {
  const isOther = COLUMNS.some((name) => name !== 'last_success_at' && after[name] !== before[name])
  return isOther || (after.last_success_at ?? 0) - (before.last_success_at ?? 0) > SUCCESS_MS
}

async function write(
  transaction: Transaction<Database>,
  rows: readonly HealthRow[],
  { engine, now }: HealthOptions,
): Promise<void> {
  const given = jsonRows(engine, rows, {
    text: ['id', 'state', 'notice'],
    bigint: [
      'consecutive_failures',
      'failing_since',
      'last_success_at',
      'breaker_until',
      'breaker_opens',
      'window_size',
    ],
  })
  // Only another state is a change of the resource; the rest is what is observed of it.
  await sql`
    update webhooks set
      version = version + case when webhooks.state = given.state then 0 else 1 end,
      updated_at = case when webhooks.state = given.state then updated_at else ${now} end,
      state = given.state, notice = given.notice, consecutive_failures = given.consecutive_failures,
      failing_since = given.failing_since, last_success_at = given.last_success_at,
      breaker_until = given.breaker_until, breaker_opens = given.breaker_opens, window_size = given.window_size
    from ${given} where webhooks.id = given.id`.execute(transaction)
}

/** Failures that say nothing of the receiver. */
const NOT_ITS_FAULT: ReadonlySet<string | undefined> = new Set(['aborted', 'unsendable', SECRET_REFUSED])

/**
 * Returns the evidence of an attempt about the receiver. Tests give none, since they are sent whatever its
 * state.
 */
function healthEvidence({ delivery, result }: SentDelivery): HealthEvidence {
  const { isProbe, trigger } = delivery
  return { kind: kindOf(), isProbe, status: result.status, retryAfterMs: result.retryAfterMs }

  function kindOf(): HealthEvidence['kind'] {
    if (trigger === 'test') return 'none'
    if (result.outcome === 'gone' || result.directive === 'disable') return 'refused'
    if (result.outcome === 'delivered') return 'success'
    return NOT_ITS_FAULT.has(result.failure) || result.directive !== undefined ? 'none' : 'failure'
  }
}

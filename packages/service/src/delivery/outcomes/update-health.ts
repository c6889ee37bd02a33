import { type Transaction, sql } from 'kysely'
import type { Database, WebhookRow } from '../../store/schema.ts'
import type { Engine } from '../../store/store.ts'
import { jsonRows } from '../json-rows.ts'
import type { DeliveryRules } from '../rules/delivery-rules.ts'
import { SECRET_REFUSED, type SentDelivery } from '../send-claimed.ts'

/** Statuses of an overloaded receiver, or of a proxy in front of it. */
const OVERLOAD: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** The health of a receiver: columns of its webhook. */
export type EndpointHealth = Pick<
  WebhookRow,
  | 'state'
  | 'notice'
  | 'consecutive_failures'
  | 'failing_since'
  | 'last_success_at'
  | 'breaker_until'
  | 'breaker_opens'
  | 'window_size'
>

/** The part of an attempt's result that concerns the health of the receiver. */
export interface HealthEvidence {
  /** `refused`: the receiver wants no more deliveries. `none`: the attempt says nothing about the receiver. */
  readonly kind: 'success' | 'failure' | 'refused' | 'none'
  /** True for the probe that an open breaker lets through. */
  readonly isProbe: boolean
  /** The status of the response; undefined if there was none. */
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
}

interface HealthSetup {
  readonly rules: DeliveryRules
  readonly now: number
}

/** Returns the health of a receiver after an attempt. */
export function afterAttempt(
  health: EndpointHealth,
  evidence: HealthEvidence,
  setup: HealthSetup,
): EndpointHealth {
  if (evidence.kind === 'none') return health
  if (evidence.kind === 'success') return afterSuccess(health, setup)
  if (evidence.kind === 'refused') return disabled(health, 'the receiver refused further deliveries')
  return afterFailure(health, evidence, setup)
}

function afterSuccess(health: EndpointHealth, { now, rules }: HealthSetup): EndpointHealth {
  return {
    state: health.state,
    // A webhook that a person disabled keeps that reason.
    notice: health.state === 'disabled' ? health.notice : null,
    consecutive_failures: 0,
    failing_since: null,
    last_success_at: now,
    breaker_until: null,
    breaker_opens: 0,
    window_size: Math.min(health.window_size * 2, Math.max(rules.breaker.window, health.window_size)),
  }
}

function afterFailure(before: EndpointHealth, evidence: HealthEvidence, setup: HealthSetup): EndpointHealth {
  const failing_since = before.failing_since ?? setup.now
  const consecutive_failures = before.consecutive_failures + 1
  const health = openBreaker({ ...before, failing_since, consecutive_failures }, evidence, setup)
  if (health.state === 'disabled') return health
  const { afterMs, attempts } = setup.rules.disable
  const days = Math.round((afterMs / 86_400_000) * 10) / 10
  if (setup.now - failing_since >= afterMs && consecutive_failures >= attempts)
    return disabled(health, `no delivery arrived for ${days} days`)
  return { ...health, notice: failingNotice({ ...health, failing_since }, setup) ?? health.notice }
}

function disabled(health: EndpointHealth, reason: string): EndpointHealth {
  return { ...health, state: 'disabled', notice: `disabled: ${reason}; enable it when it is ready` }
}

/**
 * Applies a failure: opens the breaker after a failed probe or too many failures, and shrinks the window of an
 * overloaded receiver. Attempts that were under way when it opened do not count.
 */
function openBreaker(
  health: EndpointHealth,
  { isProbe, retryAfterMs = 0, status = 0 }: HealthEvidence,
  { now, rules: { breaker } }: HealthSetup,
): EndpointHealth {
  const isOverloaded = OVERLOAD.has(status)
  const asked = isOverloaded ? Math.min(retryAfterMs, breaker.longestPauseMs) : 0
  const isOpening =
    isProbe || (health.breaker_until === null && health.consecutive_failures >= breaker.failures)
  if (isOpening) {
    const pause = Math.min(breaker.pauseMs * 2 ** Math.min(health.breaker_opens, 20), breaker.longestPauseMs)
    const breaker_until = now + Math.max(pause, asked)
    return { ...health, breaker_until, breaker_opens: health.breaker_opens + 1, window_size: 1 }
  }
  if (!isOverloaded) return health
  const window_size = Math.max(1, Math.floor(health.window_size / 2))
  if (asked === 0) return { ...health, window_size }
  return { ...health, window_size, breaker_until: Math.max(health.breaker_until ?? 0, now + asked) }
}

interface Failing {
  readonly consecutive_failures: number
  readonly failing_since: number
}

/** Returns the warning for a webhook that will soon be disabled; undefined otherwise. */
function failingNotice(
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

interface HealthOptions {
  readonly engine: Engine
  readonly rules: DeliveryRules
  readonly now: number
}

type HealthRow = EndpointHealth & { readonly id: string }

/** The change to a webhook after some attempts. */
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

/** The precision of the last success. Writing the row for each delivery would slow all of them down. */
const SUCCESS_MS = 1000

/** Updates the health of webhooks where attempts changed it. The result leaves out deleted webhooks. */
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
  // Read again under a lock, which is only taken if needed: in the order of ids, and before deliveries.
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
  // Only a new state is a change of the resource. The rest is observation.
  await sql`
    update webhooks set
      version = version + case when webhooks.state = given.state then 0 else 1 end,
      updated_at = case when webhooks.state = given.state then updated_at else ${now} end,
      state = given.state, notice = given.notice, consecutive_failures = given.consecutive_failures,
      failing_since = given.failing_since, last_success_at = given.last_success_at,
      breaker_until = given.breaker_until, breaker_opens = given.breaker_opens, window_size = given.window_size
    from ${given} where webhooks.id = given.id`.execute(transaction)
}

/** Failures that say nothing about the receiver. */
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

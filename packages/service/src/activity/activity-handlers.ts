import type { ActivityResource, ApiHandlers } from '@stagecraft/spec/api'
import { type RawBuilder, sql } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { toIso } from '../resources/job-members.ts'

type ActivityHandlers = Pick<ApiHandlers, 'getActivity'>

/** Creates the handler of the activity counts. */
export function activityHandlers(context: ServiceContext): ActivityHandlers {
  return { getActivity: (call) => getActivity(context, call) }
}

const HOUR_MS = 3_600_000

/** Returns the hour of a time, counted from 1970. Both engines divide whole numbers without a remainder. */
const HOUR = sql<number>`created_at / ${sql.lit(HOUR_MS)}`

type Hour = ActivityResource['hours'][number]

/** A count in one hour, as a query returns it. */
interface Counted {
  readonly hour: number
  readonly state: string
  readonly count: number
}

/** The counter that each state adds to. */
const MEMBERS = {
  units: { created: 'unitsCreated' },
  generations: { completed: 'generationsCompleted', failed: 'generationsFailed' },
  scans: { completed: 'scansCompleted', failed: 'scansFailed' },
  deliveries: {
    delivered: 'deliveriesDelivered',
    exhausted: 'deliveriesFailed',
    expired: 'deliveriesFailed',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, keyof Omit<Hour, 'at'>>>>>

type Counting = keyof typeof MEMBERS

/** Runs five statements, each limited to the rows of those hours. */
async function getActivity(
  { store }: ServiceContext,
  { caller: { projectId, scopes }, query: { hours } }: CallOf<'getActivity'>,
): ReplyOf<'getActivity'> {
  const first = Math.floor((await store.now()) / HOUR_MS) - hours + 1
  const since = first * HOUR_MS
  const seesDeliveries = scopes.includes('webhooks')
  const rows = (table: Counting, state: RawBuilder<string>) =>
    store.db
      .selectFrom(table)
      .select(({ fn }) => [HOUR.as('hour'), state.as('state'), fn.countAll<number>().as('count')])
      .where('created_at', '>=', since)
      .groupBy(['hour', 'state'])
  const state = sql<string>`state`
  const [{ units }, created, generations, scans, deliveries] = await Promise.all([
    store.db
      .selectFrom('units')
      .select(({ fn }) => fn.countAll<number>().as('units'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow(),
    rows('units', sql<string>`'created'`)
      .where('project_id', '=', projectId)
      .execute(),
    rows('generations', state).where('project_id', '=', projectId).where('unit_id', 'is not', null).execute(),
    rows('scans', state).where('project_id', '=', projectId).execute(),
    seesDeliveries ? rows('deliveries', state).where(ofWebhooks(projectId)).execute() : [],
  ])
  const counted = toHours(first, hours, seesDeliveries)
  add(counted, 'units', created)
  add(counted, 'generations', generations)
  add(counted, 'scans', scans)
  add(counted, 'deliveries', deliveries)
  return { data: { units, hours: [...counted.values()] } }
}

/** Phrased like the index by webhook and state. The index holds everything that is counted, so no delivery is read. */
function ofWebhooks(projectId: string): RawBuilder<boolean> {
  return sql<boolean>`webhook_id in (select id from webhooks where project_id = ${projectId})
    and state in ('delivered', 'exhausted', 'expired')`
}

function toHours(first: number, hours: number, seesDeliveries: boolean): Map<number, Hour> {
  return new Map(
    Array.from({ length: hours }, (_, index) => [
      first + index,
      {
        at: toIso((first + index) * HOUR_MS),
        unitsCreated: 0,
        generationsCompleted: 0,
        generationsFailed: 0,
        scansCompleted: 0,
        scansFailed: 0,
        ...(seesDeliveries && { deliveriesDelivered: 0, deliveriesFailed: 0 }),
      },
    ]),
  )
}

/** Adds counts. Other states, and hours that began since, are left out. */
function add(hours: ReadonlyMap<number, Hour>, table: Counting, rows: readonly Counted[]): void {
  const members: Readonly<Record<string, keyof Omit<Hour, 'at'>>> = MEMBERS[table]
  for (const { count, hour, state } of rows) {
    const found = hours.get(hour)
    const member = members[state]
    if (found && member !== undefined) found[member] = (found[member] ?? 0) + count
  }
}

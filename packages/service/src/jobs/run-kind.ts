import { StagecraftError } from '@stagecraft/spec'
import { sql } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { claim } from '../store/jobs/claim.ts'
import { handBack } from '../store/jobs/hand-back.ts'
import { heartbeat } from '../store/jobs/heartbeat.ts'
import { settle } from '../store/jobs/settle.ts'
import { isStoreFailure } from '../store/errors/store-failure.ts'
import { holdJob } from './hold-job.ts'
import type { JobKind, JobRow, JobTable } from './job-kind.ts'
import { createPacer } from './pacer.ts'
import { JobCancelled, LeaseLost, TryAgain, WorkerStopped } from './stop-reasons.ts'

export interface RunJobsOptions {
  /** The interval in milliseconds at which jobs of other processes are looked for. @default 500 */
  readonly pollMs?: number
  /** The lease of a job in milliseconds. @default 30000 */
  readonly leaseMs?: number
  /** The number of starts after which a job whose process dies is failed. @default 3 */
  readonly maxAttempts?: number
}

export interface RunningJobs {
  /** Takes no new ones, and gives those that are under way back. */
  stop(): Promise<void>
}

export interface RunKindSettings extends Required<RunJobsOptions> {
  /** Names the process, for people who look into the table. */
  readonly worker: string
}

interface Active {
  readonly row: JobRow<JobTable>
  readonly stop: AbortController
}

/** The time that jobs have to stop when the process stops. */
const GRACE_MILLISECONDS = 6000

/** Does the jobs of one table. */
export function runKind<Table extends JobTable>(
  context: ServiceContext,
  kind: JobKind<Table>,
  settings: RunKindSettings,
): RunningJobs {
  const active = new Map<string, Active>()
  const done = new Set<Promise<void>>()
  const maxAttempts = Math.max(settings.maxAttempts, kind.attempts ?? 0)
  const pacer = createPacer(context, settings.pollMs)
  let beatAt = performance.now()

  const begin = (row: JobRow<Table>): void => {
    // After a pause of the whole process, a job can come back to it that it still works on.
    active.get(row.id)?.stop.abort(new LeaseLost())
    const entry = { row, stop: new AbortController() }
    active.set(row.id, entry)
    const work = doJob({ context, kind, row, stop: entry.stop.signal, maxAttempts })
      .catch((error: unknown) => {
        // The end could not be written: the lease runs out, and whoever claims the job next begins it again.
        context.logger.warn(
          { job: row.id, error: String(error) },
          "could not record a job's outcome; it will be retried",
        )
      })
      .finally(() => {
        if (active.get(row.id) === entry) active.delete(row.id)
        done.delete(work)
        pacer.wake()
      })
    done.add(work)
  }

  const look = async (): Promise<void> => {
    if (active.size > 0) await watch(context, kind.table, active)
    if (active.size > 0 && performance.now() - beatAt > settings.leaseMs / 3) {
      beatAt = performance.now()
      await beat(context, { table: kind.table, leaseMs: settings.leaseMs }, active)
    }
    const limit = kind.concurrency - active.size
    if (limit <= 0) return
    const { leaseMs, worker } = settings
    const rows = await claim(context.store, {
      table: kind.table,
      worker,
      limit,
      leaseMs,
      ...(kind.where && { where: kind.where }),
    })
    for (const row of rows) begin(row as JobRow<Table>)
  }

  const loop = pacer.run(look)
  return {
    async stop() {
      pacer.stop()
      await loop
      for (const { stop } of active.values()) stop.abort(new WorkerStopped())
      const late = new Promise<void>((resolve) => setTimeout(resolve, GRACE_MILLISECONDS).unref())
      await Promise.race([Promise.all(done), late])
    },
  }
}

interface Doing<Table extends JobTable> {
  readonly context: ServiceContext
  readonly kind: JobKind<Table>
  readonly row: JobRow<Table>
  readonly stop: AbortSignal
  readonly maxAttempts: number
}

async function doJob<Table extends JobTable>({
  context,
  kind,
  maxAttempts,
  row,
  stop,
}: Doing<Table>): Promise<void> {
  const { logger, store } = context
  const held = holdJob({ context, kind, row, signal: stop })
  if (row.cancel === 1) return void (await held.end('cancelled', cancelledError()))
  if (row.attempts > maxAttempts) return void (await held.end('failed', tooOftenError(maxAttempts)))
  try {
    const started_at = await markStarted(context, kind.table, row)
    await kind.run({ ...row, started_at }, held)
    if (!held.isFinished()) throw new TypeError(`a job of ${kind.table} ended without its end`)
  } catch (error) {
    const reason: unknown = stop.aborted ? stop.reason : error
    if (held.isFinished() || reason instanceof LeaseLost) return
    if (reason instanceof WorkerStopped) {
      await handBack(store.db, { table: kind.table, ids: [row.id], leaseOwner: row.lease_owner ?? '' })
      return
    }
    // Another process, or this one a moment later, can go on with it.
    if (isStoreFailure(error)) throw error
    if (reason instanceof TryAgain && row.attempts < maxAttempts)
      return await postpone(context, { table: kind.table, row, afterMs: reason.afterMs })
    if (reason instanceof JobCancelled) return void (await held.end('cancelled', cancelledError()))
    const isEnded = await held.end('failed', error instanceof TryAgain ? error.cause : error)
    // A job that was deleted with its project, or passed to another process, did not fail here.
    if (isEnded) logger.warn({ job: row.id, error: describe(error) }, 'a job failed')
  }
}

async function postpone(
  { store }: ServiceContext,
  {
    afterMs,
    row,
    table,
  }: { readonly table: JobTable; readonly row: JobRow<JobTable>; readonly afterMs: number },
): Promise<void> {
  const due_at = sql<number>`${store.nowMs()} + ${afterMs}`
  const set = { state: 'queued' as const, due_at }
  await settle(store.db, { table, ids: [row.id], leaseOwner: row.lease_owner ?? '', set })
}

/** @throws {LeaseLost} */
async function markStarted(
  { store }: ServiceContext,
  table: JobTable,
  { id, lease_owner, started_at }: JobRow<JobTable>,
): Promise<number> {
  if (started_at !== null) return started_at
  const marked = await store.db
    .updateTable(table as 'scans')
    .set({ started_at: store.nowMs() })
    .where('id', '=', id)
    .where('lease_owner', '=', lease_owner)
    .returning('started_at')
    .executeTakeFirst()
  if (typeof marked?.started_at !== 'number') throw new LeaseLost()
  return marked.started_at
}

type ActiveJobs = ReadonlyMap<string, Active>

/** Stops what somebody has cancelled. */
async function watch({ store }: ServiceContext, table: JobTable, active: ActiveJobs): Promise<void> {
  const rows = await store.db
    .selectFrom(table as 'scans')
    .select('id')
    .where('id', 'in', [...active.keys()])
    .where('cancel', '=', 1)
    .execute()
  for (const { id } of rows) active.get(id)?.stop.abort(new JobCancelled())
}

/** Tells that this process lives, and stops what another one has taken over. */
async function beat(
  { store }: ServiceContext,
  { leaseMs, table }: { readonly leaseMs: number; readonly table: JobTable },
  active: ActiveJobs,
): Promise<void> {
  const jobs = [...active.values()]
  for (const [leaseOwner, group] of Map.groupBy(jobs, ({ row }) => row.lease_owner ?? '')) {
    const ids = group.map(({ row }) => row.id)
    const kept = new Set(await heartbeat(store, { table, ids, leaseOwner, leaseMs }))
    for (const { row, stop } of group) if (!kept.has(row.id)) stop.abort(new LeaseLost())
  }
}

function cancelledError(): StagecraftError {
  return new StagecraftError('GENERATION_FAILED', 'the job was cancelled', {
    details: { reason: 'cancelled' },
  })
}

function tooOftenError(attempts: number): StagecraftError {
  const reason = `its worker process died ${attempts} times while running it`
  return new StagecraftError('GENERATION_FAILED', reason, { details: { reason } })
}

function describe(error: unknown): object {
  if (!(error instanceof Error)) return { message: `not an error but of type ${typeof error}` }
  const { message, name, stack } = error
  return { name, message, stack }
}

import type { ServiceContext } from '../context.ts'
import { startLoop } from '../loop.ts'
import { claimJobs, findCancelled, type JobRow, type JobTable, renewClaim } from '../store/claims.ts'
import { doJob, JobCancelled, WorkerStopped } from './do-job.ts'
import { type JobKind, LeaseLost } from './lease.ts'
import { workerName } from '../worker-name.ts'

/** A kind of job, of any table. */
export type AnyJobKind = { [Table in JobTable]: JobKind<Table> }[JobTable]

export interface RunJobsOptions {
  /** The interval in milliseconds at which jobs of other processes are looked for. @default 500 */
  readonly pollMs?: number
  /** The lease of a job in milliseconds. @default 30000 */
  readonly leaseMs?: number
  /** The number of starts after which a job whose process dies is failed. @default 3 */
  readonly maxAttempts?: number
}

export interface RunningJobs {
  /** Takes no new ones, and hands those that are under way back. */
  stop(): Promise<void>
}

/** Does jobs until it is stopped. */
export function runJobs(
  context: ServiceContext,
  kinds: readonly AnyJobKind[],
  { leaseMs = 30_000, maxAttempts = 3, pollMs = 500 }: RunJobsOptions = {},
): RunningJobs {
  const worker = workerName()
  const settings = { leaseMs, maxAttempts, pollMs, worker }
  const running = kinds.map((kind) => runKind(context, kind, settings))
  return {
    async stop() {
      await Promise.all(running.map((one) => one.stop()))
    },
  }
}

interface RunKindSettings extends Required<RunJobsOptions> {
  readonly worker: string
}

interface Active {
  readonly row: JobRow<JobTable>
  readonly stop: AbortController
}

/** The time that jobs have to stop when the process stops. */
const GRACE_MS = 6000

/** Does the jobs of one table. */
function runKind<Table extends JobTable>(
  context: ServiceContext,
  kind: JobKind<Table>,
  { leaseMs, pollMs, worker, ...settings }: RunKindSettings,
): RunningJobs {
  const { concurrency, table } = kind
  const active = new Map<string, Active>()
  const done = new Set<Promise<void>>()
  const maxAttempts = Math.max(settings.maxAttempts, kind.attempts ?? 0)
  let renewedAt = performance.now()

  const begin = (row: JobRow<Table>): void => {
    // After a pause of the whole process, a job can come back to it that it still works on.
    active.get(row.id)?.stop.abort(new LeaseLost())
    const entry = { row, stop: new AbortController() }
    active.set(row.id, entry)
    const work = doJob(context, { kind, row, signal: entry.stop.signal, maxAttempts })
      .catch((error: unknown) => {
        // The lease runs out, and the next worker that claims the job begins it again.
        context.logger.warn(
          { job: row.id, error: String(error) },
          "could not record a job's outcome; it will be retried",
        )
      })
      .finally(() => {
        if (active.get(row.id) === entry) active.delete(row.id)
        done.delete(work)
        loop.wake()
      })
    done.add(work)
  }

  const round = async (): Promise<void> => {
    if (active.size > 0) await stopCancelled(context, table, active)
    if (active.size > 0 && performance.now() - renewedAt > leaseMs / 3) {
      renewedAt = performance.now()
      await renewLeases(context, { table, leaseMs }, active)
    }
    const limit = concurrency - active.size
    if (limit <= 0) return
    const where = kind.where && { where: kind.where }
    for (const row of await claimJobs(context.store, { table, worker, limit, leaseMs, ...where })) begin(row)
  }

  const { logger } = context
  const loop = startLoop(round, { logger, everyMs: pollMs, message: 'polling for jobs failed' })
  const unlisten = context.wakeups.listen('jobs', () => loop.wake())
  return {
    async stop() {
      unlisten()
      await loop.stop()
      for (const { stop } of active.values()) stop.abort(new WorkerStopped())
      const late = new Promise<void>((resolve) => setTimeout(resolve, GRACE_MS).unref())
      await Promise.race([Promise.all(done), late])
    },
  }
}

type ActiveJobs = ReadonlyMap<string, Active>

async function stopCancelled({ store }: ServiceContext, table: JobTable, active: ActiveJobs): Promise<void> {
  for (const id of await findCancelled(store.db, { table, ids: [...active.keys()] }))
    active.get(id)?.stop.abort(new JobCancelled())
}

/** Renews the leases of what is under way, and stops what another process has taken over. */
async function renewLeases(
  { store }: ServiceContext,
  { leaseMs, table }: { readonly leaseMs: number; readonly table: JobTable },
  active: ActiveJobs,
): Promise<void> {
  const jobs = [...active.values()]
  for (const [leaseOwner, group] of Map.groupBy(jobs, ({ row }) => row.lease_owner ?? '')) {
    const ids = group.map(({ row }) => row.id)
    const kept = new Set(await renewClaim(store, { table, ids, leaseOwner }, leaseMs))
    for (const { row, stop } of group) if (!kept.has(row.id)) stop.abort(new LeaseLost())
  }
}

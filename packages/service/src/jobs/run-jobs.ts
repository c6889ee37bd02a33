import type { ServiceContext } from '../context.ts'
import { startLoop } from '../loop.ts'
import {
  claimJobs,
  findCancelled,
  type JobRow,
  type JobTable,
  releaseClaim,
  renewClaim,
} from '../store/claims.ts'
import { createLease, type JobEnd, type JobKind, type Lease, LeaseLost } from './lease.ts'
import { workerName } from '../worker-name.ts'
import { redactSecrets, StagecraftError } from '@stagecraft/spec'
import { isStoreFailure } from '../store/errors/store-failure.ts'
import type { JobError } from '../store/schema.ts'

/** A kind of job, from any table. */
export type AnyJobKind = { [Table in JobTable]: JobKind<Table> }[JobTable]

export interface RunJobsOptions {
  /** The interval in milliseconds for polling jobs of other processes. @default 500 */
  readonly pollMs?: number
  /** The lease of a job in milliseconds. @default 30000 */
  readonly leaseMs?: number
  /** The number of starts after which a job whose process dies is failed. @default 3 */
  readonly maxAttempts?: number
}

export interface RunningJobs {
  /** Stops claiming, and returns running jobs to the queue. */
  stop(): Promise<void>
}

/** Runs jobs until stopped. */
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

/** Runs the jobs of one table. */
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
    // After a pause of the whole process, it can claim a job that it is still working on.
    active.get(row.id)?.stop.abort(new LeaseLost())
    const entry = { row, stop: new AbortController() }
    active.set(row.id, entry)
    const work = doJob(context, { kind, row, signal: entry.stop.signal, maxAttempts })
      .catch((error: unknown) => {
        // The lease expires, and the next worker that claims the job starts it again.
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

/** Renews the leases of running jobs, and stops those that another process has taken over. */
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

/** Returns the public error of a failed job. Details of unexpected errors are only in the log. */
export function toJobError(error: unknown): JobError {
  if (!(error instanceof StagecraftError)) {
    const message = 'it failed unexpectedly; the log of the service has the reason, under its id'
    return { code: 'GENERATION_FAILED', message }
  }
  const { code, details, message } = error
  if (code !== 'CONNECTION_FAILED')
    return { code, message: redactSecrets(message), ...(details && { details: withoutSecrets(details) }) }
  const reason = typeof details?.['reason'] === 'string' ? details['reason'] : 'the log has the reason'
  return {
    code,
    message: `no connection: ${redactSecrets(reason)}`,
    details: { reason: redactSecrets(reason) },
  }
}

function withoutSecrets(details: JobError['details'] & object): JobError['details'] & object {
  return JSON.parse(JSON.stringify(details), (_, value: unknown) =>
    typeof value === 'string' ? redactSecrets(value) : value,
  ) as JobError['details'] & object
}

/** The reason to stop a job whose cancellation was requested. */
class JobCancelled extends Error {
  override readonly name = 'JobCancelled'
}

/** The reason to stop a job when this process stops. Another process resumes it. */
class WorkerStopped extends Error {
  override readonly name = 'WorkerStopped'
}

/** Thrown by a job with an unknown outcome. It is retried after a pause, and finally fails with the cause. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain'
  readonly afterMs: number

  constructor(cause: unknown, afterMs: number) {
    super('the job must run again', { cause })
    this.afterMs = afterMs
  }
}

interface Doing<Table extends JobTable> {
  readonly kind: JobKind<Table>
  readonly row: JobRow<Table>
  readonly signal: AbortSignal
  readonly maxAttempts: number
}

/** Runs a claimed job, and writes its end. */
async function doJob<Table extends JobTable>(
  context: ServiceContext,
  { kind, maxAttempts, row, signal }: Doing<Table>,
): Promise<void> {
  const { logger, store } = context
  const { table } = kind
  const lease = createLease(context, { table, row, signal })
  const end = (state: JobEnd['state'], error: unknown): Promise<boolean> =>
    endJob(lease, { kind, row, state, error })
  if (row.cancel === 1) return void (await end('cancelled', cancelledError()))
  if (row.attempts > maxAttempts) return void (await end('failed', tooOftenError(maxAttempts)))
  try {
    await kind.run(row, lease)
    if (!lease.isEnded()) throw new TypeError(`a job of ${table} ended without an outcome`)
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error
    if (lease.isEnded() || reason instanceof LeaseLost) return
    if (reason instanceof WorkerStopped)
      return void (await releaseClaim(store.db, { table, ids: [row.id], leaseOwner: row.lease_owner ?? '' }))
    // Another process, or this one a moment later, can resume it.
    if (isStoreFailure(error)) throw error
    if (reason instanceof TryAgain && row.attempts < maxAttempts) return await lease.postpone(reason.afterMs)
    if (reason instanceof JobCancelled) return void (await end('cancelled', cancelledError()))
    const isEnded = await end('failed', error instanceof TryAgain ? error.cause : error)
    // A job that was deleted with its project, or passed to another process, did not fail here.
    if (isEnded) logger.warn({ job: row.id, error: describe(error) }, 'a job failed')
  }
}

interface Ending<Table extends JobTable> {
  readonly kind: JobKind<Table>
  readonly row: JobRow<Table>
  readonly state: JobEnd['state']
  readonly error: unknown
}

/** Ends a job that did not complete. Returns false without writing if its lease is lost. */
async function endJob<Table extends JobTable>(
  lease: Lease<Table>,
  { error: reason, kind, row, state }: Ending<Table>,
): Promise<boolean> {
  const error = toJobError(reason)
  try {
    await lease.end({ state, error }, async (tx) => await kind.ended?.(tx, row, { state, error }))
    return true
  } catch (failure) {
    if (failure instanceof LeaseLost) return false
    throw failure
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
  if (!(error instanceof Error)) return { message: `a value of type ${typeof error} was thrown` }
  const { message, name, stack } = error
  return { name, message, stack }
}

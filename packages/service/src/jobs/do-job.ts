import { StagecraftError, redactSecrets } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import { type JobRow, type JobTable, releaseClaim } from '../store/claims.ts'
import { isStoreFailure } from '../store/errors/store-failure.ts'
import type { JobError } from '../store/schema.ts'
import { type JobEnd, type JobKind, type Lease, LeaseLost, createLease } from './lease.ts'

/** Returns the error of a failed job as its readers may see it. Unexpected errors are only in the log. */
export function toJobError(error: unknown): JobError {
  if (!(error instanceof StagecraftError)) {
    const message = 'it failed unexpectedly; the log of the service has the reason under its id'
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

/** The reason to stop a job whose cancellation was asked for. */
export class JobCancelled extends Error {
  override readonly name = 'JobCancelled'
}

/** The reason to stop a job when this process stops; another one goes on with it. */
export class WorkerStopped extends Error {
  override readonly name = 'WorkerStopped'
}

/** Thrown by a job whose outcome is not known: it is done again after a while, and fails with the cause in the end. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain'
  readonly afterMs: number

  constructor(cause: unknown, afterMs: number) {
    super('the job has to be done again', { cause })
    this.afterMs = afterMs
  }
}

interface Doing<Table extends JobTable> {
  readonly kind: JobKind<Table>
  readonly row: JobRow<Table>
  readonly signal: AbortSignal
  readonly maxAttempts: number
}

/** Does a job that was claimed, and writes its end. */
export async function doJob<Table extends JobTable>(
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
    if (!lease.isEnded()) throw new TypeError(`a job of ${table} ended without its end`)
  } catch (error) {
    const reason: unknown = signal.aborted ? signal.reason : error
    if (lease.isEnded() || reason instanceof LeaseLost) return
    if (reason instanceof WorkerStopped)
      return void (await releaseClaim(store.db, { table, ids: [row.id], leaseOwner: row.lease_owner ?? '' }))
    // Another process, or this one a moment later, can go on with it.
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

/** Ends a job that did not complete. Returns false, and writes nothing, when its lease is lost. */
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
  if (!(error instanceof Error)) return { message: `not an error but of type ${typeof error}` }
  const { message, name, stack } = error
  return { name, message, stack }
}

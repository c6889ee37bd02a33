import { StagecraftError } from '@stagecraft/spec'
import { type RawBuilder, sql } from 'kysely'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { type JobRow, type JobTable, UNCLAIMED, updateClaimed } from '../store/claims.ts'
import type { JobColumns } from '../store/job-columns.ts'
import type { JobError } from '../store/schema.ts'

/** The columns that a job writes when it ends, besides its state and times. */
export type JobResult<Table extends JobTable> = Partial<Omit<JobRow<Table>, keyof JobColumns>>

/**
 * Thrown by the work of a job that was cancelled or deleted, or that another process took over because this one did
 * not renew its lease.
 */
export class LeaseLost extends StagecraftError {
  override readonly name = 'LeaseLost'

  constructor() {
    const reason = 'the job was cancelled, or its unit was deleted'
    super('GENERATION_FAILED', `the generation was stopped: ${reason}`, { details: { reason } })
  }
}

interface LeaseSetup<Table extends JobTable> {
  readonly table: Table
  readonly row: Pick<JobRow<Table>, 'id' | 'project_id' | 'lease_owner'>
  /** Aborts when the work must stop. */
  readonly signal: AbortSignal
}

/** A job leased by this process. Each write first checks the lease. */
export interface Lease<Table extends JobTable> {
  readonly id: string
  /** Aborts when the job is cancelled, when its lease is lost, and when the process stops. */
  readonly signal: AbortSignal
  /** Returns true once the end of the job is written. */
  readonly isEnded: () => boolean
  /**
   * Changes the store, in one transaction during which no other process can claim the job.
   *
   * @throws {LeaseLost} Then nothing is written.
   */
  readonly change: <Result>(work: (tx: Change) => Promise<Result>, options?: LeaseChange) => Promise<Result>
  /**
   * Writes columns of the job while it runs, in one transaction with the other writes of the work. @throws {LeaseLost}
   */
  readonly write: (work: (tx: Change) => Promise<JobResult<Table>>) => Promise<void>
  /** Writes the progress of the job. Does nothing if the lease is lost. */
  readonly progress: (columns: JobResult<Table>) => Promise<void>
  /** Completes the job, in one transaction with its results: events, files, other rows. @throws {LeaseLost} */
  readonly finish: (work: (tx: Change) => Promise<JobResult<Table>>) => Promise<void>
  /** Ends the job in another state than completed. @throws {LeaseLost} */
  readonly end: (end: JobEnd, work: (tx: Change) => Promise<void>) => Promise<void>
  /** Makes the job due again after a pause. The attempt counts. */
  readonly postpone: (afterMs: number) => Promise<void>
}

interface LeaseChange {
  /** True if the work writes the end of the job itself. @default false */
  readonly ends?: boolean
}

export interface JobEnd {
  readonly state: 'failed' | 'cancelled'
  readonly error: JobError
}

export function createLease<Table extends JobTable>(
  context: ServiceContext,
  { row, signal, table }: LeaseSetup<Table>,
): Lease<Table> {
  const { id, lease_owner, project_id } = row
  const claim = { table, ids: [id], leaseOwner: lease_owner ?? '' }
  let hasEnded = false
  const changeClaimed: Lease<Table>['change'] = async (work, { ends = false } = {}) => {
    const result = await change(context, project_id, async (tx) => {
      const claimed = await updateClaimed(tx.db, claim, { state: 'running' })
      if (claimed.length === 0) throw new LeaseLost()
      return await work(tx)
    })
    if (ends) hasEnded = true
    return result
  }
  const endClaimed = (columnsOf: (tx: Change) => Promise<object>): Promise<void> => {
    const work = async (tx: Change): Promise<void> => {
      const columns = await columnsOf(tx)
      await updateClaimed(tx.db, claim, { ...columns, finished_at: await tx.now(), ...UNCLAIMED })
    }
    return changeClaimed(work, { ends: true })
  }
  return {
    id,
    signal,
    isEnded: () => hasEnded,
    change: changeClaimed,
    write: (work) => changeClaimed(async (tx) => void (await updateClaimed(tx.db, claim, await work(tx)))),
    progress: async (columns) => void (await updateClaimed(context.store.db, claim, columns)),
    finish: (work) => endClaimed(async (tx) => ({ ...(await work(tx)), state: 'completed' })),
    end: ({ error, state }, work) =>
      endClaimed(async (tx) => {
        await work(tx)
        return { state, error: JSON.stringify(error) }
      }),
    postpone: async (afterMs) => {
      const due_at = sql<number>`${context.store.nowMs()} + ${afterMs}`
      await updateClaimed(context.store.db, claim, { state: 'queued', due_at, ...UNCLAIMED })
    },
  }
}

/** Defines the jobs of one table. */
export interface JobKind<Table extends JobTable> {
  readonly table: Table
  /** The number of jobs that a process runs at the same time. */
  readonly concurrency: number
  /** A further condition for starting a job that is due. Default: nothing. */
  readonly where?: RawBuilder<boolean>
  /** The number of starts after which a job whose process dies is failed. Default: as for all jobs. */
  readonly attempts?: number
  /** Does the work. It ends with `lease.finish`; a rejection makes the job failed. */
  run(row: JobRow<Table>, lease: Lease<Table>): Promise<void>
  /** Writes the consequences of a failure or a cancellation, in the transaction that ends the job. Default: nothing. */
  ended?(tx: Change, row: JobRow<Table>, end: JobEnd): Promise<void>
}

/** Returns the columns of a job that has not started. */
export function queuedJob(now: number): Omit<JobColumns, 'id' | 'project_id'> {
  return {
    state: 'queued',
    due_at: now,
    attempts: 0,
    lease_owner: null,
    lease_until: null,
    error: null,
    cancel: 0,
    created_at: now,
    started_at: null,
    finished_at: null,
  }
}

import { StagecraftError } from '@stagecraft/spec'
import { type RawBuilder, sql } from 'kysely'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { type JobRow, type JobTable, UNCLAIMED, updateClaimed } from '../store/claims.ts'
import type { JobColumns } from '../store/job-columns.ts'
import type { JobError } from '../store/schema.ts'

/** The columns that a job writes when it ends, besides its state and times. */
export type JobResult<Table extends JobTable> = Partial<Omit<JobRow<Table>, keyof JobColumns>>

/** Thrown by work whose job was cancelled or deleted, or passed to another process because this one was silent. */
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
  /** Aborts when the work has to stop. */
  readonly signal: AbortSignal
}

/** A job that this process holds. It writes only while it does, and each write checks that first. */
export interface Lease<Table extends JobTable> {
  readonly id: string
  /** Aborts when the job is cancelled, when its lease is lost, and when the process stops. */
  readonly signal: AbortSignal
  /** Returns true if the end of the job is written. */
  readonly isEnded: () => boolean
  /**
   * Changes the store, in one transaction during which nobody else can claim the job.
   *
   * @throws {LeaseLost} Then nothing is written.
   */
  readonly change: <Result>(work: (tx: Change) => Promise<Result>, options?: LeaseChange) => Promise<Result>
  /** Writes columns of the job on the way, together with what else the work writes. @throws {LeaseLost} */
  readonly write: (work: (tx: Change) => Promise<JobResult<Table>>) => Promise<void>
  /** Writes how far the job is; nothing when the lease is lost. */
  readonly progress: (columns: JobResult<Table>) => Promise<void>
  /** Completes the job, in one transaction with all that it caused: events, files, other rows. @throws {LeaseLost} */
  readonly finish: (work: (tx: Change) => Promise<JobResult<Table>>) => Promise<void>
  /** Ends the job in another state than completed. @throws {LeaseLost} */
  readonly end: (end: JobEnd, work: (tx: Change) => Promise<void>) => Promise<void>
  /** Makes the job due again after a while. The attempt counts. */
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
  const changeHeld: Lease<Table>['change'] = async (work, { ends = false } = {}) => {
    const result = await change(context, project_id, async (tx) => {
      const held = await updateClaimed(tx.db, claim, { state: 'running' })
      if (held.length === 0) throw new LeaseLost()
      return await work(tx)
    })
    if (ends) hasEnded = true
    return result
  }
  const endHeld = (columnsOf: (tx: Change) => Promise<object>): Promise<void> => {
    const work = async (tx: Change): Promise<void> => {
      const columns = await columnsOf(tx)
      await updateClaimed(tx.db, claim, { ...columns, finished_at: await tx.now(), ...UNCLAIMED })
    }
    return changeHeld(work, { ends: true })
  }
  return {
    id,
    signal,
    isEnded: () => hasEnded,
    change: changeHeld,
    write: (work) => changeHeld(async (tx) => void (await updateClaimed(tx.db, claim, await work(tx)))),
    progress: async (columns) => void (await updateClaimed(context.store.db, claim, columns)),
    finish: (work) => endHeld(async (tx) => ({ ...(await work(tx)), state: 'completed' })),
    end: ({ error, state }, work) =>
      endHeld(async (tx) => {
        await work(tx)
        return { state, error: JSON.stringify(error) }
      }),
    postpone: async (afterMs) => {
      const due_at = sql<number>`${context.store.nowMs()} + ${afterMs}`
      await updateClaimed(context.store.db, claim, { state: 'queued', due_at, ...UNCLAIMED })
    },
  }
}

/** The definition of the jobs of one table. */
export interface JobKind<Table extends JobTable> {
  readonly table: Table
  /** The number that a process runs at once. */
  readonly concurrency: number
  /** A further condition for starting a job that is due. Default: nothing. */
  readonly where?: RawBuilder<boolean>
  /** The number of starts after which a job whose process dies is failed. Default: as for all jobs. */
  readonly attempts?: number
  /** Does the work. It ends with `lease.finish`; a rejection makes the job failed. */
  run(row: JobRow<Table>, lease: Lease<Table>): Promise<void>
  /** Writes what belongs to a failure or a cancellation, in the transaction that ends the job. Default: nothing. */
  ended?(tx: Change, row: JobRow<Table>, end: JobEnd): Promise<void>
}

/** The columns of a job that has not begun. */
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

import type { RawBuilder } from 'kysely'
import type { Change } from '../change.ts'
import type { Database, JobColumns, JobError } from '../store/schema.ts'

export type JobTable = 'scans' | 'generations' | 'pushes'

export type JobRow<Table extends JobTable> = Database[Table]

/** The columns that a job writes when it ends, besides its state and times. */
export type JobResult<Table extends JobTable> = Partial<Omit<JobRow<Table>, keyof JobColumns>>

/** A job while a worker of this process holds it. */
export interface HeldJob<Table extends JobTable> {
  /** Aborts when the job is cancelled, when its lease is lost, and when the process stops. */
  readonly signal: AbortSignal
  /**
   * Ends the job as completed, in one transaction with all that it caused: events, files, the rows that it changed. The
   * lease is checked first: what lost it changes nothing, and this rejects.
   */
  finish(write: (tx: Change) => Promise<JobResult<Table>>): Promise<void>
  /** Writes how far it is; nothing when the lease is lost. */
  update(columns: JobResult<Table>): Promise<void>
  /**
   * Writes on the way, in one transaction.
   *
   * @throws {LeaseLost} Then nothing is written.
   */
  keep(write: (tx: Change) => Promise<JobResult<Table>>): Promise<void>
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
  /** Does the work. It ends with `held.finish`; what it rejects with makes the job failed. */
  run(row: JobRow<Table>, held: HeldJob<Table>): Promise<void>
  /** Writes what belongs to a failure or a cancellation, in the transaction that ends the job. Default: nothing. */
  ended?(tx: Change, row: JobRow<Table>, end: JobEnd): Promise<void>
}

export interface JobEnd {
  readonly state: 'failed' | 'cancelled'
  readonly error: JobError
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

import type { RawBuilder } from 'kysely'
import type { Change } from '../change.ts'
import type { JobRow, JobTable } from '../store/claims.ts'
import type { JobColumns } from '../store/schema.ts'
import type { JobEnd, Lease } from './lease.ts'

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

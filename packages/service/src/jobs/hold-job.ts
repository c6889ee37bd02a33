import type { UpdateObject } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { settle } from '../store/jobs/settle.ts'
import { updateHeld } from '../store/jobs/update-held.ts'
import type { Database } from '../store/schema.ts'
import { toJobError } from './job-error.ts'
import type { HeldJob, JobEnd, JobKind, JobResult, JobRow, JobTable } from './job-kind.ts'
import { LeaseLost } from './stop-reasons.ts'

export interface HoldSetup<Table extends JobTable> {
  readonly context: ServiceContext
  readonly kind: JobKind<Table>
  readonly row: JobRow<Table>
  readonly signal: AbortSignal
}

/** A job in the hands of this process, with what ends it one way or another. */
export interface Holding<Table extends JobTable> extends HeldJob<Table> {
  /** Returns true if `finish` succeeded. */
  readonly isFinished: () => boolean
  /** Ends the job otherwise. Returns false, and writes nothing, when the lease is lost. */
  end(state: JobEnd['state'], error: unknown): Promise<boolean>
}

export function holdJob<Table extends JobTable>(setup: HoldSetup<Table>): Holding<Table> {
  const { context, kind, row, signal } = setup
  const { store } = context
  const { id, lease_owner, project_id: projectId } = row
  const leaseOwner = lease_owner ?? ''
  let finished = false
  return {
    signal,
    isFinished: () => finished,
    async finish(write) {
      await change(context, projectId, async (tx) => {
        const set = { state: 'completed' as const, finished_at: await tx.now() }
        const held = await settle(tx.db, { table: kind.table, ids: [id], leaseOwner, set })
        if (held.length === 0) throw new LeaseLost()
        await setColumns(tx.db, { id, table: kind.table, columns: await write(tx) })
      })
      finished = true
    },
    async update(columns) {
      await setColumns(store.db, { id, table: kind.table, columns, leaseOwner })
    },
    async keep(write) {
      await change(context, projectId, async (tx) => {
        // First the lease: when the project was deleted, rows that refer to it cannot be written.
        const lease = { table: kind.table, ids: [id], leaseOwner }
        const held = await updateHeld(tx.db, lease, { state: 'running' })
        if (held.length === 0) throw new LeaseLost()
        await setColumns(tx.db, { id, table: kind.table, columns: await write(tx) })
      })
    },
    async end(state, error) {
      const told = toJobError(error)
      return await change(context, projectId, async (tx) => {
        const set = { state, finished_at: await tx.now(), error: JSON.stringify(told) }
        const held = await settle(tx.db, { table: kind.table, ids: [id], leaseOwner, set })
        if (held.length > 0) await kind.ended?.(tx, row, { state, error: told })
        return held.length > 0
      })
    },
  }
}

interface Columns<Table extends JobTable> {
  readonly id: string
  readonly table: Table
  readonly columns: JobResult<Table>
  /** Of the claim that must still hold. */
  readonly leaseOwner?: string
}

async function setColumns<Table extends JobTable>(
  database: ServiceContext['store']['db'],
  { columns, id, leaseOwner, table }: Columns<Table>,
): Promise<boolean> {
  if (Object.keys(columns).length === 0) return true
  // The tables of jobs differ in what the caller's type has checked; the statement is the same for all.
  let query = database
    .updateTable(table as 'scans')
    .set(columns as UpdateObject<Database, 'scans'>)
    .where('id', '=', id)
  if (leaseOwner !== undefined) query = query.where('lease_owner', '=', leaseOwner)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return numUpdatedRows > 0n
}

import { HOUR, nextRun, timestamp } from '../../time.ts'

/** The columns that Fivetran adds to every table. */
export const SYNCED_COLUMNS = { _fivetran_synced: 'timestamptz' } as const

/** The columns that it adds to tables if it can see their deletions. */
export const DELETED_COLUMNS = { _fivetran_deleted: 'boolean', ...SYNCED_COLUMNS } as const

const EVERY = 6 * HOUR

interface Synced {
  readonly _fivetran_synced: string
}

interface Deletable extends Synced {
  readonly _fivetran_deleted: boolean
}

export function synced(changedAt: number): Synced {
  return { _fivetran_synced: timestamp(nextRun(changedAt, EVERY)) }
}

export function deletable(changedAt: number, isDeleted: boolean): Deletable {
  return { _fivetran_deleted: isDeleted, ...synced(changedAt) }
}

import type { Kysely, Selectable, Transaction } from 'kysely'

/** The columns that make a table a queue. What waits is `queued`, what is worked on `running`; all other states are ends. */
export interface JobColumns {
  readonly id: string
  readonly state: string
  /** The earliest start, in milliseconds since 1970. */
  readonly due_at: number
  /** The number of claims so far. */
  readonly attempts: number
  /** The token of the claim that holds it. */
  readonly lease_owner: string | null
  /** Until when; afterwards anybody may claim it. */
  readonly lease_until: number | null
}

/** The names of the tables that are queues. */
export type JobTable<Database> = {
  [Name in keyof Database & string]: Selectable<Database[Name]> extends JobColumns ? Name : never
}[keyof Database & string]

/** The store's own handle, or that of a transaction. */
export type Handle<Database> = Kysely<Database> | Transaction<Database>

/** Rows of one claim. */
export interface Lease<Database> {
  readonly table: JobTable<Database>
  readonly ids: readonly string[]
  /** `lease_owner` of the rows, as `claim` returned them. */
  readonly leaseOwner: string
}

import { StagecraftError } from '@stagecraft/spec'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Database } from './schema.ts'
import type { Engine } from './store.ts'

/** Returns the text of a JSON column. The type excludes `undefined`, which is not JSON. */
export function toJson(value: string | number | boolean | object | null): string {
  return JSON.stringify(value)
}

/** Returns the value of a JSON column as unknown; its reader checks it with a schema. */
export function fromJson(text: string): unknown {
  return JSON.parse(text) as unknown
}

/** Splits a list into parts that fit into the parameters of one statement on either engine. */
export function chunksOf<Item>(items: readonly Item[], size = 500): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}

/** Tables whose rows belong to a project and have an id, with the word for one row. */
export const RESOURCE_NAMES = {
  analyses: 'analysis',
  api_keys: 'key',
  connections: 'connection',
  conversations: 'conversation',
  deliveries: 'delivery',
  events: 'event',
  generations: 'generation',
  messages: 'message',
  proposals: 'proposal',
  pushes: 'push',
  scans: 'scan',
  units: 'unit',
  webhooks: 'webhook',
} as const satisfies Partial<Record<keyof Database, string>>

export type OwnedTable = keyof typeof RESOURCE_NAMES

/**
 * Until the transaction ends, `update` blocks changes of the row by others, `delete` also blocks references to it, and
 * `share` only blocks its deletion.
 */
export type RowLock = 'update' | 'delete' | 'share'

interface OwnedRow {
  readonly projectId: string
  readonly id: string
  /** Without a lock the row is only read. */
  readonly lock?: RowLock | undefined
}

/** Locks the selected rows on PostgreSQL. SQLite has a single writer and needs no locks. */
export function withLock<Tables extends keyof Database, Row>(
  select: SelectQueryBuilder<Database, Tables, Row>,
  { engine, lock }: { readonly engine: Engine; readonly lock: RowLock | undefined },
): SelectQueryBuilder<Database, Tables, Row> {
  if (engine !== 'postgres' || lock === undefined) return select
  if (lock === 'update') return select.forNoKeyUpdate()
  return lock === 'delete' ? select.forUpdate() : select.forKeyShare()
}

/**
 * Reads a row of a project by its id.
 *
 * @throws {StagecraftError} NOT_FOUND, also for a row of another project.
 */
export async function ownedRow<Table extends OwnedTable>(
  { db, engine }: { readonly db: Kysely<Database>; readonly engine: Engine },
  table: Table,
  { id, lock, projectId }: OwnedRow,
): Promise<Database[Table]> {
  const row = await db
    // The tables have these two columns in common; the type of the result is that of the table.
    .selectFrom(table as 'units')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .$call((select) => withLock(select, { engine, lock }))
    .executeTakeFirst()
  if (!row) throw StagecraftError.unknownId(RESOURCE_NAMES[table], id)
  return row as unknown as Database[Table]
}

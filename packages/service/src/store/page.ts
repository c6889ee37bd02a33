import { type SelectQueryBuilder, sql } from 'kysely'
import { parseCursor, printCursor } from './cursor.ts'

/** The columns that a list is in order of. */
interface Ordered {
  readonly created_at: number
  readonly id: string
}

export interface PageOptions {
  /** At least 1. */
  readonly limit: number
  /** `nextCursor` of the page before; the first page has none. */
  readonly cursor?: string | undefined
  /** The same two columns with their table, for a query of several: `['units.created_at', 'units.id']`. */
  readonly order?: readonly [createdAt: string, id: string]
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  /** Missing on the last page. */
  readonly nextCursor: string | undefined
}

/**
 * One page of a query, newest first. Rows that are added or deleted between two pages move no other; an index on
 * `(created_at, id)`, behind the columns that the query compares, makes any page as cheap as the first.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a cursor that no page gave.
 */
export async function page<Database, Tables extends keyof Database, Row extends Ordered>(
  query: SelectQueryBuilder<Database, Tables, Row>,
  { cursor, limit, order = ['created_at', 'id'] }: PageOptions,
): Promise<Page<Row>> {
  const [createdAt, id] = [sql.ref<number>(order[0]), sql.ref<string>(order[1])]
  const position = cursor === undefined ? undefined : parseCursor(cursor)
  const found = await query
    .$if(position !== undefined, (query) =>
      query.where(sql<boolean>`(${createdAt}, ${id}) < (${position?.createdAt}, ${position?.id})`),
    )
    .orderBy(createdAt, 'desc')
    .orderBy(id, 'desc')
    .limit(limit + 1)
    .execute()
  const rows = found.slice(0, limit) as readonly Row[]
  const last = rows.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { rows, nextCursor: hasMore ? printCursor({ createdAt: last.created_at, id: last.id }) : undefined }
}

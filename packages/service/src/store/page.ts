import { crc32 } from 'node:zlib'
import { StagecraftError } from '@stagecraft/spec'
import { type SelectQueryBuilder, sql } from 'kysely'

/** The columns that a list is ordered by. */
interface Ordered {
  readonly created_at: number
  readonly id: string
}

interface PageOptions {
  /** At least 1. */
  readonly limit: number
  /** `nextCursor` of the previous page; the first page has none. */
  readonly cursor?: string | undefined
  /** The same two columns with their table, for a query over several tables: `['units.created_at', 'units.id']`. */
  readonly order?: readonly [createdAt: string, id: string]
}

interface Page<Row> {
  readonly rows: readonly Row[]
  /** Missing on the last page. */
  readonly nextCursor: string | undefined
}

/**
 * Returns one page of a query, newest first. Rows that are added or deleted between two pages do not shift others.
 * With an index on `(created_at, id)` after the compared columns, every page is as cheap as the first.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a cursor that no page returned.
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

/** The last row of a page, after which the next one starts. */
interface Position {
  readonly createdAt: number
  readonly id: string
}

/** Opaque to clients. The checksum detects a mistyped or truncated cursor. */
export function printCursor({ createdAt, id }: Position): string {
  const text = JSON.stringify([createdAt, id])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(text))
  return Buffer.concat([checksum, Buffer.from(text)]).toString('base64url')
}

/** @throws {StagecraftError} INVALID_REQUEST for a text that `printCursor` did not return. */
export function parseCursor(cursor: string): Position {
  const position = positionOf(Buffer.from(cursor, 'base64url').subarray(4).toString())
  if (position !== undefined && printCursor(position) === cursor) return position
  const fault = {
    path: 'query.cursor',
    expected: 'a cursor from an earlier page',
    received: JSON.stringify(cursor.slice(0, 100)),
  }
  throw StagecraftError.invalid(fault, { suggestion: 'omit it to start from the first page' })
}

function positionOf(text: string): Position | undefined {
  const [createdAt, id, ...rest] = arrayOf(text)
  if (rest.length > 0 || !Number.isSafeInteger(createdAt)) return undefined
  // PostgreSQL accepts no text with a zero character.
  return typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id)
    ? { createdAt: createdAt as number, id }
    : undefined
}

function arrayOf(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

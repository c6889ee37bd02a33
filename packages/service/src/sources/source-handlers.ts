import { type CatalogTable, StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers, SourceResource } from '@stagecraft/spec/api'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { sql } from 'kysely'
import { findConnection } from '../connections/find-connection.ts'
import type { ServiceContext } from '../context.ts'
import { toIso } from '../resources/job-members.ts'
import { fromJson } from '../store/json.ts'
import type { SourceTableRow } from '../store/schema.ts'
import { findSource } from './find-source.ts'

/** Creates the handlers of the operations on scanned tables. */
export function sourceHandlers(context: ServiceContext): Pick<ApiHandlers, 'listSources' | 'getSource'> {
  return {
    listSources: (call) => listSources(context, call),
    getSource: (call) => getSource(context, call),
  }
}

async function listSources(
  { store }: ServiceContext,
  { caller: { projectId }, query: { connectionId, cursor, limit, schema, search } }: CallOf<'listSources'>,
): ReplyOf<'listSources'> {
  // PostgreSQL takes no text with a zero character, and no name has one
  if (`${schema ?? ''}${search ?? ''}`.includes('\0')) return { data: { items: [] } }
  let query = store.db.selectFrom('source_tables').select(SOURCE_COLUMNS).where('project_id', '=', projectId)
  if (connectionId !== undefined) query = query.where('connection_id', '=', connectionId)
  if (schema !== undefined) query = query.where('schema_name', '=', schema)
  if (search !== undefined) query = query.where(sql<boolean>`lower_name like ${like(search)} escape '\\'`)
  if (cursor !== undefined) {
    const last = parseNameCursor(cursor)
    query = query.where(sql<boolean>`(name, connection_id) > (${last.name}, ${last.connectionId})`)
  }
  const found = await query
    .orderBy('name')
    .orderBy('connection_id')
    .limit(limit + 1)
    .execute()
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return {
    data: { items: rows.map(toSource) },
    nextCursor: last && printNameCursor({ name: last.name, connectionId: last.connection_id }),
  }
}

/** A pattern for names that hold the text. */
function like(search: string): string {
  return `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

async function getSource(
  context: ServiceContext,
  { caller: { projectId }, params: { name }, query }: CallOf<'getSource'>,
): ReplyOf<'getSource'> {
  const { id: connectionId } = await findConnection(context, { ...query, projectId })
  const row = await findSource(context, name, { projectId, connectionId })
  return { data: { ...toSource(row), table: fromJson(row.definition) as CatalogTable } }
}

/** The last source of a page, after which the next one starts. */
interface NamePosition {
  readonly name: string
  readonly connectionId: string
}

function printNameCursor({ connectionId, name }: NamePosition): string {
  return Buffer.from(JSON.stringify([name, connectionId])).toString('base64url')
}

/** @throws {StagecraftError} INVALID_REQUEST for a text that `printNameCursor` did not make. */
function parseNameCursor(cursor: string): NamePosition {
  const [name, connectionId, ...rest] = arrayOf(Buffer.from(cursor, 'base64url').toString())
  const isText = typeof name === 'string' && typeof connectionId === 'string' && rest.length === 0
  // PostgreSQL takes no text with a zero character
  if (isText && !`${name}${connectionId}`.includes('\0')) {
    const position = { name, connectionId }
    if (printNameCursor(position) === cursor) return position
  }
  const expected = 'a cursor from an earlier page'
  throw StagecraftError.invalid([
    { path: 'cursor', expected, received: JSON.stringify(cursor.slice(0, 100)) },
  ])
}

function arrayOf(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** The columns of a stored table that a list shows: all but its definition. */
const SOURCE_COLUMNS = [
  'name',
  'connection_id',
  'kind',
  'comment',
  'columns',
  'scan_id',
  'scanned_at',
] as const

/** A stored table as the interface shows it. */
function toSource(row: Pick<SourceTableRow, (typeof SOURCE_COLUMNS)[number]>): SourceResource {
  return {
    name: row.name,
    connectionId: row.connection_id,
    kind: row.kind,
    ...(row.comment !== null && { comment: row.comment }),
    columns: row.columns,
    scanId: row.scan_id,
    scannedAt: toIso(row.scanned_at),
  }
}

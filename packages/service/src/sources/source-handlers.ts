import type { CatalogTable } from '@stagecraft/spec'
import type { ApiHandlers, ApiOperations, Call, Reply } from '@stagecraft/spec/api'
import { sql } from 'kysely'
import { findConnection } from '../connections/find-connection.ts'
import type { ServiceContext } from '../context.ts'
import { fromJson } from '../store/json.ts'
import { findSource } from './find-source.ts'
import { parseNameCursor, printNameCursor } from './name-cursor.ts'
import { SOURCE_COLUMNS, toSource } from './to-source.ts'

type CallOf<Id extends keyof ApiOperations> = Call<ApiOperations[Id]>
type ReplyOf<Id extends keyof ApiOperations> = Promise<Reply<ApiOperations[Id]>>

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

import { findEntry } from '@stagecraft/catalogs'
import { parseSourceName } from '@stagecraft/core'
import {
  type CatalogTable,
  type Observation,
  StagecraftError,
  type TableProfile,
  type Config,
} from '@stagecraft/spec'
import type { ApiHandlers, SourceResource, SuggestionRecord } from '@stagecraft/spec/api'
import { type Kysely, sql } from 'kysely'
import { findConnection } from '../connections/stored-connection.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { toIso } from '../resources/job-members.ts'
import { sourceDialect } from '../scans/read-sources.ts'
import { fromJson } from '../store/rows.ts'
import type { Database } from '../store/schema.ts'
import type { SourceProfileRow, SourceTableRow } from '../store/source-rows.ts'
import { newestScan, storedEntries } from './scanned-catalog.ts'
import { suggestionData, suggestionsOf } from '@stagecraft/core/inference'
import { projectSettings } from '../projects/project-settings.ts'
import { readProposals } from './proposals.ts'

interface Place {
  readonly projectId: string
  readonly connectionId: string
}

/**
 * Returns the stored table of a dotted name: an exact match, otherwise the one that the name means in the dialect of
 * the catalog.
 *
 * @throws {StagecraftError} INVALID_SOURCE with near names if there is no such table; INVALID_REQUEST for an invalid name,
 * and for a connection that was never scanned.
 */
async function findSource(context: ServiceContext, name: string, place: Place): Promise<SourceTableRow> {
  const row = name.includes('\0') ? undefined : await storedSource(context, name, place)
  if (row) return row
  const { dialect } = await newestScan(context, place)
  const source = parseSourceName(name, sourceDialect(dialect))
  const { dottedName } = findEntry(
    source,
    await storedEntries(context, place.connectionId),
    'the newest scan',
  )
  const meant = await storedSource(context, dottedName, place)
  if (!meant) throw StagecraftError.unknownId('source', dottedName, 'name') // A scan has just removed it.
  return meant
}

async function storedSource(
  { store }: ServiceContext,
  name: string,
  { connectionId, projectId }: Place,
): Promise<SourceTableRow | undefined> {
  return store.db
    .selectFrom('source_tables')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Creates the handlers of the operations on scanned tables. */
export function sourceHandlers(context: ServiceContext): Pick<ApiHandlers, 'listSources' | 'getSource'> {
  return {
    listSources: (call) => listSources(context, call),
    getSource: (call) => getSource(context, call),
  }
}

async function listSources(
  { store }: ServiceContext,
  {
    caller: { projectId },
    query: { connectionId, cursor, kind, limit, schema, search },
  }: CallOf<'listSources'>,
): ReplyOf<'listSources'> {
  // PostgreSQL accepts no text with a zero character, and no name contains one.
  if (`${schema ?? ''}${search ?? ''}`.includes('\0')) return { data: { items: [] } }
  let query = withProfiles(store.db)
    .select(SOURCE_COLUMNS)
    .select(['observed', 'profiled_at'])
    .where('source_tables.project_id', '=', projectId)
  if (connectionId !== undefined) query = query.where('source_tables.connection_id', '=', connectionId)
  if (schema !== undefined) query = query.where('schema_name', '=', schema)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (search !== undefined) query = query.where(sql<boolean>`lower_name like ${like(search)} escape '\\'`)
  if (cursor !== undefined) {
    const [name, connection] = parsePosition(cursor, isNameAndConnection)
    query = query.where(
      sql<boolean>`(source_tables.name, source_tables.connection_id) > (${name}, ${connection})`,
    )
  }
  const found = await query
    .orderBy('source_tables.name')
    .orderBy('source_tables.connection_id')
    .limit(limit + 1)
    .execute()
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return {
    data: { items: rows.map(toSource) },
    nextCursor: last && printPosition([last.name, last.connection_id]),
  }
}

/** Returns stored tables with their evidence. */
function withProfiles(database: Kysely<Database>) {
  return database
    .selectFrom('source_tables')
    .leftJoin('source_profiles', (join) =>
      join
        .onRef('source_profiles.connection_id', '=', 'source_tables.connection_id')
        .onRef('source_profiles.name', '=', 'source_tables.name'),
    )
}

function isNameAndConnection(parts: readonly unknown[]): parts is readonly [string, string] {
  return parts.length === 2 && parts.every((part) => typeof part === 'string')
}

/** Returns a pattern for names that contain the text. */
function like(search: string): string {
  return `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

async function getSource(
  context: ServiceContext,
  { caller: { projectId }, params: { name }, query }: CallOf<'getSource'>,
): ReplyOf<'getSource'> {
  const { id: connectionId } = await findConnection(context, { ...query, projectId })
  const row = await findSource(context, name, { projectId, connectionId })
  const found = await context.store.db
    .selectFrom('source_profiles')
    .select(['observed', 'profile', 'profiled_at'])
    .where('connection_id', '=', connectionId)
    .where('name', '=', row.name)
    .executeTakeFirst()
  const source = toSource({ ...row, ...(found ?? { observed: null, profiled_at: null }) })
  const profile = found && { profile: fromJson(found.profile) as TableProfile }
  return { data: { ...source, table: fromJson(row.definition) as CatalogTable, ...profile } }
}

/** The columns of a stored table for lists: all but its definition. */
const SOURCE_COLUMNS = [
  'source_tables.name',
  'source_tables.connection_id',
  'kind',
  'comment',
  'columns',
  'scan_id',
  'scanned_at',
] as const

type ShownRow = Pick<
  SourceTableRow,
  'name' | 'connection_id' | 'kind' | 'comment' | 'columns' | 'scan_id' | 'scanned_at'
> & { readonly [Column in 'observed' | 'profiled_at']: SourceProfileRow[Column] | null }

/** Returns the public fields of a stored table. */
function toSource(row: ShownRow): SourceResource {
  return {
    name: row.name,
    connectionId: row.connection_id,
    kind: row.kind,
    ...(row.comment !== null && { comment: row.comment }),
    columns: row.columns,
    scanId: row.scan_id,
    scannedAt: toIso(row.scanned_at),
    ...(row.profiled_at !== null && { profiledAt: toIso(row.profiled_at) }),
    ...(row.observed !== null && { observed: fromJson(row.observed) as Observation }),
  }
}

/** The number of tables whose proposals are read at the same time. */
const TABLES_AT_ONCE = 50

/** Creates the handler of the operation on suggestions. */
export function suggestionHandlers(context: ServiceContext): Pick<ApiHandlers, 'listSuggestions'> {
  return { listSuggestions: (call) => listSuggestions(context, call) }
}

/** A table and the number of its suggestions that were shown. */
type Position = readonly [name: string, shown: number]

async function listSuggestions(
  context: ServiceContext,
  {
    caller: { projectId },
    query: { connectionId, cursor, kind, limit, search, source },
  }: CallOf<'listSuggestions'>,
): ReplyOf<'listSuggestions'> {
  const position: Position = cursor === undefined ? ['', 0] : parsePosition(cursor, isPosition)
  const { id } = await findConnection(context, { connectionId, projectId })
  const place = { projectId, connectionId: id }
  await newestScan(context, place)
  const only = source === undefined ? undefined : (await findSource(context, source, place)).name
  const { config = {} } = await projectSettings(context.store.db, projectId)
  const items: { readonly suggestion: SuggestionRecord; readonly at: Position }[] = []
  for await (const table of suggestedTables(context, { config, connectionId: id, from: position[0], only })) {
    const skipped = table.name === position[0] ? position[1] : 0
    for (const [index, suggestion] of table.suggestions.entries())
      if (index >= skipped && isWanted(suggestion, { kind, search }))
        items.push({ suggestion, at: [table.name, index + 1] })
    if (items.length > limit) break
  }
  const last = items.length > limit ? items[limit - 1] : undefined
  return {
    data: { items: items.slice(0, limit).map(({ suggestion }) => suggestion) },
    nextCursor: last && printPosition(last.at),
  }
}

interface SuggestionFilter {
  readonly kind: SuggestionRecord['kind'] | undefined
  readonly search: string | undefined
}

function isWanted({ columns, ...suggestion }: SuggestionRecord, { kind, search }: SuggestionFilter): boolean {
  if (kind !== undefined && suggestion.kind !== kind) return false
  const texts = [...columns, suggestion.text, suggestion.why]
  return search === undefined || texts.some((text) => text.toLowerCase().includes(search.toLowerCase()))
}

function isPosition(parts: readonly unknown[]): parts is Position {
  const [name, shown] = parts
  return parts.length === 2 && typeof name === 'string' && Number.isSafeInteger(shown)
}

interface Wanted {
  readonly config: Config
  readonly connectionId: string
  /** The name of the first table. */
  readonly from: string
  /** The name of the requested table. */
  readonly only: string | undefined
}

/**
 * Yields the tables with evidence in the order of their names, without suggestions that the configuration already has.
 */
async function* suggestedTables(
  { store }: Pick<ServiceContext, 'store'>,
  { config, connectionId, from, only }: Wanted,
): AsyncGenerator<{ readonly name: string; readonly suggestions: readonly SuggestionRecord[] }> {
  for (let next: string | undefined = from, isFirst = true; next !== undefined; isFirst = false) {
    const rows = await store.db
      .selectFrom('source_profiles')
      .innerJoin('source_tables', (join) =>
        join
          .onRef('source_tables.connection_id', '=', 'source_profiles.connection_id')
          .onRef('source_tables.name', '=', 'source_profiles.name'),
      )
      .select(['source_tables.name', 'database_name', 'schema_name', 'table_name', 'proposals'])
      .where('source_profiles.connection_id', '=', connectionId)
      .where('source_profiles.name', isFirst ? '>=' : '>', next)
      .$if(only !== undefined, (query) => query.where('source_profiles.name', '=', only ?? ''))
      .orderBy('source_profiles.name')
      .limit(TABLES_AT_ONCE)
      .execute()
    for (const { database_name, name, proposals, schema_name, table_name } of rows) {
      const place = {
        ...(database_name !== null && { database: database_name }),
        ...(schema_name !== null && { schema: schema_name }),
        name: table_name,
      }
      const suggestions = suggestionsOf(readProposals(proposals, place), config)
      yield { name, suggestions: suggestions.map((one) => toRecord(suggestionData(one))) }
    }
    next = rows.length === TABLES_AT_ONCE ? rows.at(-1)?.name : undefined
  }
}

/** Copies the list, because lists of the interface are mutable. */
function toRecord({ columns, setting, ...data }: ReturnType<typeof suggestionData>): SuggestionRecord {
  return {
    ...data,
    columns: [...columns],
    setting: setting === null || setting === undefined ? null : { ...setting, path: [...setting.path] },
  }
}

/** Prints the last item of a page, after which the next one starts. */
function printPosition(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** @throws {StagecraftError} INVALID_REQUEST for a text that `printPosition` did not make of such parts. */
function parsePosition<Parts extends readonly (string | number)[]>(
  cursor: string,
  isPosition: (parts: readonly unknown[]) => parts is Parts,
): Parts {
  const parts = listOf(Buffer.from(cursor, 'base64url').toString())
  // PostgreSQL accepts no text with a zero character.
  const isText = parts.every((part) => typeof part !== 'string' || !part.includes('\0'))
  if (isText && isPosition(parts) && printPosition(parts) === cursor) return parts
  const expected = 'a cursor from an earlier page'
  throw StagecraftError.invalid([
    { path: 'query.cursor', expected, received: JSON.stringify(cursor.slice(0, 100)) },
  ])
}

function listOf(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

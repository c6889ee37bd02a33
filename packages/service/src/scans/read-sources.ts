import { createHash } from 'node:crypto'
import { setImmediate as letOthersGo } from 'node:timers/promises'
import { type Dialect, DIALECTS } from '@stagecraft/core'
import { observeIn, type ObserveCatalogOptions } from '@stagecraft/core/inference'
import { printSourceName } from '@stagecraft/core/run'
import {
  type Catalog,
  type CatalogTable,
  type DialectName,
  StagecraftError,
  type Warning,
} from '@stagecraft/spec'
import { untilAborted } from '../catalogs/with-catalog.ts'
import { openConnection } from '../connections/stored-connection.ts'
import type { ServiceContext } from '../context.ts'
import type { Evidence } from '../sources/evidence.ts'
import { printProposals } from '../sources/proposals.ts'
import { toJson } from '../store/rows.ts'
import type { ConnectionRow } from '../store/schema.ts'
import type { SourceTableRow } from '../store/source-rows.ts'

/** A table as it was read, with the columns it is stored in. */
export interface ReadSource {
  readonly table: CatalogTable
  readonly columns: Omit<SourceTableRow, 'project_id' | 'connection_id' | 'scan_id' | 'scanned_at'>
}

export interface ReadSources extends Pick<Catalog, 'dialect' | 'statesDatabase'> {
  /** By name, which is also that of `columns`. */
  readonly sources: ReadonlyMap<string, ReadSource>
  /** Of the rows, by name; undefined when nobody looked at them. */
  readonly evidence: ReadonlyMap<string, Evidence> | undefined
  /** One for each table whose rows were not read. */
  readonly warnings: readonly Warning[]
}

export interface ReadSourcesOptions {
  readonly signal: AbortSignal
  /** Looks at the rows, too: at the time in milliseconds, and called after each table. @default none */
  readonly profile?: Pick<ObserveCatalogOptions, 'maxRows' | 'onProgress'> & { readonly at: number }
}

/** After so many tables others of this process get their turn. */
const TURN = 500

/**
 * Reads all tables of a connection, through a catalog of its own: a shared one may hold a file as it was.
 *
 * @throws {StagecraftError} CONNECTION_FAILED; or the signal's reason.
 */
export async function readSources(
  context: ServiceContext,
  connection: ConnectionRow,
  { profile, signal }: ReadSourcesOptions,
): Promise<ReadSources> {
  const catalog = await openConnection(context, connection, { signal })
  const reading = readCatalog(catalog, { profile, signal })
  try {
    const read = await untilAborted(reading, signal)
    for (const { code, message } of catalog.warnings ?? [])
      context.logger.warn({ connectionId: connection.id, code }, message)
    return read
  } finally {
    // an abandoned query ends before its connection does
    const close = (): Promise<void> => closeQuietly(context, connection, catalog)
    const closed = reading.then(close, close)
    if (!signal.aborted) await closed
  }
}

async function readCatalog(
  catalog: Catalog,
  { profile, signal }: { readonly profile: ReadSourcesOptions['profile']; readonly signal: AbortSignal },
): Promise<ReadSources> {
  const { dialect, statesDatabase = false } = catalog
  const named = nameTables(await catalog.tables({}), catalog)
  signal.throwIfAborted()
  const sources = await toSources(named, signal)
  if (!profile) return { dialect, statesDatabase, sources, evidence: undefined, warnings: [] }
  return {
    dialect,
    statesDatabase,
    sources,
    ...(await profileTables(catalog, named, { ...profile, signal })),
  }
}

/** Looks at the rows of tables. One that cannot be read is a warning, and the others go on. */
async function profileTables(
  catalog: Catalog,
  named: ReadonlyMap<string, CatalogTable>,
  {
    at,
    ...options
  }: Pick<ObserveCatalogOptions, 'maxRows' | 'onProgress' | 'signal'> & { readonly at: number },
): Promise<Pick<ReadSources, 'evidence' | 'warnings'>> {
  const { failures, inference, profiles, tables } = await observeIn(catalog, [...named.values()], {
    ...options,
    asked: 'profile',
    on: new Date(at).toISOString().slice(0, 10),
  })
  const proposalsOf = printProposals(inference)
  const nameOf = new Map([...named].map(([name, table]) => [table, name]))
  const evidence = [...named.keys()].flatMap((name, place): readonly (readonly [string, Evidence])[] => {
    const observed = tables[place]?.observed
    const { profile, table } = profiles[place] ?? {}
    if (!observed || !profile || !table) return []
    const found = { observed: toJson(observed), profile: toJson(profile), proposals: proposalsOf(table) }
    return [[name, { ...found, profiled_at: at }]]
  })
  const warnings = failures.map(({ code, reason, table }): Warning => ({
    code,
    message: `${nameOf.get(table) ?? table.name} ${code === 'TABLE_TOO_LARGE' ? 'is not read' : 'could not be read'}: ${reason}`,
  }))
  return { evidence: new Map(evidence), warnings }
}

async function closeQuietly(
  { logger }: ServiceContext,
  { id }: ConnectionRow,
  catalog: Catalog,
): Promise<void> {
  try {
    await catalog.close()
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown'
    logger.warn({ connectionId: id, reason }, 'could not close a catalog')
  }
}

async function toSources(
  named: ReadonlyMap<string, CatalogTable>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadSource>> {
  const sources = new Map<string, ReadSource>()
  for (const [name, table] of named) {
    sources.set(name, { table, columns: columnsOf(name, table) })
    if (sources.size % TURN !== 0) continue
    await letOthersGo()
    signal.throwIfAborted()
  }
  return sources
}

function columnsOf(name: string, table: CatalogTable): ReadSource['columns'] {
  const definition = toJson(table)
  return {
    name,
    lower_name: name.toLowerCase(),
    database_name: table.database ?? null,
    schema_name: table.schema ?? null,
    table_name: table.name,
    kind: table.kind ?? 'table',
    comment: table.comment ?? null,
    columns: table.columns.length,
    definition,
    fingerprint: createHash('sha256').update(definition).digest('base64url'),
  }
}

/**
 * The tables by their dotted names, as a request would name them: with the database where somebody stated it, and where
 * there are several.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for two tables of one name, which nobody could tell apart.
 */
function nameTables(
  tables: readonly CatalogTable[],
  { dialect, statesDatabase = false }: Pick<Catalog, 'dialect' | 'statesDatabase'>,
): ReadonlyMap<string, CatalogTable> {
  const hasSeveral = new Set(tables.map(({ database }) => database)).size > 1
  const named = new Map<string, CatalogTable>()
  for (const table of tables) {
    const database = statesDatabase || hasSeveral ? table.database : undefined
    const place = { database, schema: table.schema, table: table.name }
    const name = printSourceName(place, sourceDialect(dialect))
    if (named.has(name)) throw twoOfOneName(name)
    named.set(name, table)
  }
  return named
}

function twoOfOneName(name: string): StagecraftError {
  const reason = `it has two tables that are called ${name}`
  const suggestion = 'state schema and database of both'
  return new StagecraftError('CONNECTION_FAILED', `cannot scan the catalog: ${reason}; ${suggestion}`, {
    details: { reason, suggestion },
  })
}

/** Names of a catalog that has no dialect are written and read as in one that keeps their case. */
export function sourceDialect(name: DialectName | null | undefined): Dialect {
  return DIALECTS[name ?? 'duckdb']
}

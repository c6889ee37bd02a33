import { createHash } from 'node:crypto'
import { setImmediate as letOthersGo } from 'node:timers/promises'
import { type Dialect, DIALECTS } from '@stagecraft/core'
import { describeFailure, observeIn, type ObserveCatalogOptions } from '@stagecraft/core/inference'
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
import { type ProjectJoins, projectJoins } from './project-joins.ts'
import { printProposals } from '../sources/proposals.ts'
import { toJson } from '../store/rows.ts'
import type { ConnectionRow } from '../store/schema.ts'
import type { SourceTableRow } from '../store/source-rows.ts'

/** A table and its stored columns. */
export interface ReadSource {
  readonly table: CatalogTable
  readonly columns: Omit<SourceTableRow, 'project_id' | 'connection_id' | 'scan_id' | 'scanned_at'>
}

export interface ReadSources extends Pick<Catalog, 'dialect' | 'statesDatabase'> {
  /** By name, which is also that of `columns`. */
  readonly sources: ReadonlyMap<string, ReadSource>
  /** The evidence of rows by name; undefined if rows were not read. */
  readonly evidence: ReadonlyMap<string, Evidence> | undefined
  /** One warning for each table whose rows could not be read. */
  readonly warnings: readonly Warning[]
}

export interface ReadSourcesOptions {
  readonly signal: AbortSignal
  /** Reads rows as well. Has the time in milliseconds, and is called after each table. @default none */
  readonly profile?:
    | (Pick<ObserveCatalogOptions, 'maxBytes' | 'maxRows' | 'onProgress' | 'onSizes'> & {
        readonly at: number
      })
    | undefined
}

/** Finds joins between tables in the SQL of the project. */
type JoinsOf = (tables: readonly CatalogTable[]) => Promise<ProjectJoins>

/** The number of tables after which other work of this process runs. */
const TURN = 500

/**
 * Reads all tables of a connection through a separate catalog, because a shared one may hold an old version of a file.
 *
 * @throws {StagecraftError} CONNECTION_FAILED; or the signal's reason.
 */
export async function readSources(
  context: ServiceContext,
  connection: ConnectionRow,
  { profile, signal }: ReadSourcesOptions,
): Promise<ReadSources> {
  const catalog = await openConnection(context, connection, { signal })
  const joinsOf: JoinsOf = (tables) =>
    projectJoins(context, { projectId: connection.project_id, tables, dialect: catalog.dialect, signal })
  const reading = readCatalog(catalog, { joinsOf, profile, signal })
  // nobody waits for it any more, and it costs in the warehouse until it ends
  const cancel = (): void => catalog.cancel?.()
  signal.addEventListener('abort', cancel)
  try {
    const read = await untilAborted(reading, signal)
    for (const { code, message } of catalog.warnings ?? [])
      context.logger.warn({ connectionId: connection.id, code }, message)
    return read
  } finally {
    // End an abandoned query before its connection.
    const close = (): Promise<void> => {
      signal.removeEventListener('abort', cancel)
      return closeQuietly(context, connection, catalog)
    }
    const closed = reading.then(close, close)
    if (!signal.aborted) await closed
  }
}

async function readCatalog(
  catalog: Catalog,
  { joinsOf, profile, signal }: ReadSourcesOptions & { readonly joinsOf: JoinsOf },
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
    ...(await profileTables(catalog, named, { ...profile, joinsOf, signal })),
  }
}

interface ProfileTablesOptions
  extends NonNullable<ReadSourcesOptions['profile']>, Pick<ReadSourcesOptions, 'signal'> {
  readonly joinsOf: JoinsOf
}

/** Reads the rows of tables. A table that cannot be read is a warning and does not affect the others. */
async function profileTables(
  catalog: Catalog,
  named: ReadonlyMap<string, CatalogTable>,
  { at, joinsOf, ...options }: ProfileTablesOptions,
): Promise<Pick<ReadSources, 'evidence' | 'warnings'>> {
  const { joins, warnings: unread } = await joinsOf([...named.values()])
  const { failures, inference, profiles, tables } = await observeIn(catalog, [...named.values()], {
    ...options,
    joins: () => Promise.resolve(joins),
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
  const warnings = failures.map((failure) => describeFailure(failure, nameOf.get(failure.table)))
  return { evidence: new Map(evidence), warnings: [...unread, ...warnings] }
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
 * Returns the tables by the dotted names that requests use. A name includes the database if the connection states it, or if
 * there are several.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for two tables with the same name.
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

/** A catalog without a dialect uses names like a dialect that preserves case. */
export function sourceDialect(name: DialectName | null | undefined): Dialect {
  return DIALECTS[name ?? 'duckdb']
}
